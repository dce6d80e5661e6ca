// Searches for wins and verifications of this study: asked for a position, each a job, several at once.

import { untrack } from 'svelte';
import { api } from '../api/client';
import { live } from '../api/live.svelte';
import type { Job, JobOutcome, JobRequest, Opinion, Side } from '../api/types';
import { other } from '../game/position';
import type { Tag } from '../board/marks';
import { settings } from '../settings.svelte';
import { router } from '../route.svelte';
import { keep, kept } from '../storage';
import type { OpenStudy } from '../study/study.svelte';
import { workbench } from '../workbench.svelte';
import { findJob, isOver, positionOf } from './jobs';
import { isBetterFounded } from './opinions';

export type Win = Extract<JobOutcome, { kind: 'win' }>;
export type Verified = Extract<JobOutcome, { kind: 'verified' }>;
export type Order = 1 | 2 | 3 | 4;

export class Proving {
  readonly study: OpenStudy;

  /** Jobs whose zones are drawn while their position is shown. */
  #zoned = $state.raw<ReadonlySet<number>>(new Set());
  #asked = untrack(() => workbench.request.number);

  constructor(study: OpenStudy) {
    this.study = study;
    this.#zoned = new Set(kept<number[]>(this.#key) ?? []);
    $effect(() => this.#requested());
    $effect(() => this.#heard());
  }

  get #key(): string {
    return `study.${this.study.study.id}.zoned`;
  }

  /** Jobs of this study, the newest first: rows keep their place. */
  readonly jobs: Job[] = $derived.by(() =>
    [...live.jobs.values()]
      .filter((job) => job.study === this.study.study.id && (job.kind === 'find-win' || job.kind === 'verify'))
      .sort((a, b) => b.id - a.id),
  );

  readonly here: Job[] = $derived.by(() => this.jobs.filter((job) => this.#isHere(job)));

  readonly elsewhere: Job[] = $derived.by(() => this.jobs.filter((job) => !this.#isHere(job)));

  readonly decided: boolean = $derived.by(() => this.study.nodePosition.winner !== null || this.study.nodePosition.full);

  readonly mover: Side = $derived.by(() => this.study.nodePosition.toMove);

  readonly attacker: Side = $derived.by(() => other(this.mover));

  /** There is a turn to verify. */
  readonly canVerify: boolean = $derived.by(() => !this.decided && this.study.nodePosition.stones.size > 0);

  /** Z1, Z2, Z3 of the job whose zones are wanted. */
  readonly zones: string[][] = $derived.by(() => {
    const job = this.here.find((one) => this.#zoned.has(one.id));
    return job ? zonesOf(job) : [];
  });

  /** Surviving defences, numbered, where the newest outcome is a verification. */
  readonly tags: Tag[] = $derived.by(() => {
    const newest = this.here.find((job) => job.outcome !== null)?.outcome;
    return newest?.kind === 'verified' ? survivorTags(newest) : [];
  });

  readonly opinion: Opinion | null = $derived.by(() => {
    const proved = this.here.map(provedBy).filter((opinion) => opinion !== null);
    return proved.find((opinion) => opinion.turns !== null) ?? proved[0] ?? null;
  });

  #isHere(job: Job): boolean {
    return job.node === this.study.current || positionOf(job) === this.study.nodeText;
  }

  // What a person does.

  async findWin(order: Order, seconds?: number): Promise<void> {
    const { rules } = this.study.study;
    await this.#start({ kind: 'find-win', rules, position: this.study.nodeText, order, seconds });
  }

  async verify(order: 1 | 2, seconds?: number): Promise<void> {
    const { rules } = this.study.study;
    await this.#start({ kind: 'verify', rules, position: this.study.nodeText, order, seconds });
  }

  async #start(request: JobRequest): Promise<void> {
    if (this.decided) return;
    const job = { request, study: this.study.study.id, node: this.study.current };
    const known = findJob(job);
    if (known && !isOver(known)) return;
    await workbench.try(() => live.start(job));
  }

  /** The winning tree becomes variations of the study. */
  insert(job: Job): void {
    if (job.outcome?.kind !== 'win' || job.node === null || !this.study.tree.has(job.node)) return;
    this.study.edit('engine', this.study.tree.grafting(job.node, job.outcome.tree));
  }

  isInserted(job: Job): boolean {
    const { tree } = this.study;
    if (job.outcome?.kind !== 'win' || job.node === null || !tree.has(job.node)) return false;
    return tree.grafting(job.node, job.outcome.tree).put.every((node) => tree.has(node.id));
  }

  zonesShown(job: Job): boolean {
    return this.#zoned.has(job.id);
  }

  showZones(job: Job, on: boolean): void {
    const others = [...this.#zoned].filter((id) => id !== job.id && live.jobs.has(id));
    this.#zoned = new Set(on ? [job.id, ...others.filter((id) => !this.here.some((one) => one.id === id))] : others);
    keep(this.#key, this.#zoned.size > 0 ? [...this.#zoned] : null);
    const { overlays } = settings.all;
    if (on && !(overlays.z1 || overlays.z2 || overlays.z3)) settings.flipZones();
  }

  challenge(): void {
    const proof = this.here.map(proofOf).find((id) => id !== null);
    if (proof) router.go('proofs', proof);
  }

  // What happens.

  #requested(): void {
    const { what, number } = workbench.request;
    if (number === this.#asked) return;
    this.#asked = number;
    untrack(() => {
      if (what === 'challenge') {
        this.challenge();
        return;
      }
      settings.all.panel = true;
      workbench.tab = 'proof';
      void this.findWin(1);
    });
  }

  /** An outcome that comes while its position is shown has been seen; what it proves is written on the node. */
  #heard(): void {
    for (const job of this.here) {
      if (!isOver(job) || job.seen) continue;
      untrack(() => this.#take(job));
    }
  }

  #taken = new Set<number>();

  #take(job: Job): void {
    if (this.#taken.has(job.id)) return;
    this.#taken.add(job.id);
    const opinion = provedBy(job);
    if (opinion && isBetterFounded(opinion, this.study.node.opinion)) this.study.change('opinion', { opinion });
    if (zonesOf(job).some((zone) => zone.length > 0)) this.showZones(job, true);
    void api.seenJob(job.id).catch(() => undefined);
  }
}

export function zonesOf({ outcome }: Job): string[][] {
  return outcome?.kind === 'win' || outcome?.kind === 'verified' ? outcome.zones : [];
}

export function proofOf({ outcome }: Job): number | null {
  return outcome?.kind === 'win' || outcome?.kind === 'verified' ? outcome.proof : null;
}

/** Every reply loses, and the checker has said so. */
export function isRefuted(verified: Verified): boolean {
  return verified.survivors.length === 0 && verified.proof !== null;
}

/** What a job has proved of its position. The server says these things only after its checker. */
export function provedBy({ outcome }: Job): Opinion | null {
  if (outcome?.kind === 'win') return proved(outcome.side, outcome.turns, outcome.proof);
  if (outcome?.kind === 'verified' && isRefuted(outcome)) return proved(outcome.attacker, null, outcome.proof);
  return null;
}

function proved(side: Side, turns: number | null, proof: number | null): Opinion {
  return { certainty: 'proved', side, black: side === 'black' ? 1 : 0, turns, grade: null, proof };
}

/** So many defences have numbers on the board; more would hide it. */
export const MOST_TAGGED = 20;

function survivorTags({ survivors }: Verified): Tag[] {
  const tags = new Map<string, Tag>();
  survivors.slice(0, MOST_TAGGED).forEach(({ stones }, index) => {
    for (const cell of stones) if (!tags.has(cell)) tags.set(cell, { cell, text: String(index + 1), outlined: stones.length > 1 });
  });
  return [...tags.values()];
}
