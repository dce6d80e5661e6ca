// The stored proofs, and what can be done with one as a whole.

import { api, ApiFailure } from '../api/client';
import { live, unfinished } from '../api/live.svelte';
import type { Job, ProofState, ProofSummary } from '../api/types';
import { t } from '../i18n';
import { router } from '../route.svelte';
import { workbench } from '../workbench.svelte';

const LONGEST_TITLE = 200;

export class Shelf {
  /** Nothing until the server has answered. */
  proofs = $state.raw<ProofSummary[] | null>(null);
  problem = $state('');
  /** Files on their way to the server. */
  loading = $state(0);

  async refresh(): Promise<void> {
    try {
      this.proofs = await api.proofs();
      this.problem = '';
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.problem = error.message;
    }
  }

  proof(id: number | null): ProofSummary | undefined {
    return this.proofs?.find((proof) => proof.id === id);
  }

  /** The check that is under way, if there is one. */
  check(id: number): Job | undefined {
    return [...live.jobs.values()].find(({ request, state }) => request.kind === 'check' && request.proof === id && unfinished(state));
  }

  /** What to show: a check under way counts before what an earlier one said. */
  stateOf(proof: ProofSummary): ProofState {
    return this.check(proof.id) ? 'checking' : proof.state;
  }

  /** The server has each file checked. */
  async add(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      this.loading += 1;
      const title = file.name.replace(/\.(tproof|proof|txt)$/i, '').slice(0, LONGEST_TITLE);
      const proof = await workbench.try(() => api.addProof(file, title));
      this.loading -= 1;
      if (!proof) continue;
      await this.refresh();
      router.go('proofs', proof.id);
    }
  }

  async recheck(id: number): Promise<void> {
    await workbench.try(async () => {
      const job = await live.start({ request: { kind: 'check', proof: id } });
      await live.ended(job.id);
      await this.refresh();
    });
  }

  async rename(proof: ProofSummary, title: string): Promise<void> {
    if (title.trim() === '' || title === proof.title) return;
    await workbench.try(() => api.renameProof(proof.id, title.trim()));
    await this.refresh();
  }

  /** The file is kept until the message is gone: undo adds it again, and the checker reads it again. */
  async remove(proof: ProofSummary): Promise<void> {
    await workbench.try(async () => {
      const { blob } = await api.proofFile(proof.id, 'compact');
      await api.deleteProof(proof.id);
      await this.refresh();
      router.go('proofs');
      workbench.say(t('proofs.deleted'), {
        text: t('tree.undo'),
        run: () => void this.add([new File([blob], proof.title)]),
      });
    });
  }
}
