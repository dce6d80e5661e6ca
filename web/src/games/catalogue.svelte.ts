// The stored games: collections, and those games that are asked for.

import { api, ApiFailure } from '../api/client';
import { live, unfinished } from '../api/live.svelte';
import type { Collection, Explored, GameList, Job, JobOutcome } from '../api/types';
import { workbench } from '../workbench.svelte';

export const PAGE = 100;
const PAUSE = 150;

export interface Wanted {
  rules: string;
  position: string;
}

export class Catalogue {
  /** Nothing until the server has answered. */
  collections = $state.raw<Collection[] | null>(null);
  list = $state.raw<GameList | null>(null);
  problem = $state('');

  text = $state('');
  collection = $state<number | null>(null);
  /** Only games with this position. */
  wanted = $state.raw<Wanted | null>(null);
  /** How its games ended. */
  statistics = $state.raw<Explored | null>(null);
  page = $state(0);

  get pages(): number {
    return Math.max(1, Math.ceil((this.list?.total ?? 0) / PAGE));
  }

  /** Imports that run, or whose end nobody has read. */
  get imports(): Job[] {
    return [...live.jobs.values()].filter((job) => job.kind === 'import-games' && (unfinished(job.state) || !job.seen));
  }

  get importing(): boolean {
    return this.imports.some(({ state }) => unfinished(state));
  }

  async refresh(): Promise<void> {
    try {
      this.collections = await api.collections();
      this.problem = '';
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.problem = error.message;
    }
  }

  /** Asks the server when the question changes; an answer that comes late is dropped. */
  follow(changed: () => unknown): void {
    $effect(() => {
      void changed();
      const question = {
        ...this.wanted,
        ...(this.collection === null ? {} : { collection: this.collection }),
        ...(this.text.trim() === '' ? {} : { text: this.text.trim() }),
        offset: this.page * PAGE,
        limit: PAGE,
      };
      return later(() => api.games(question), (list) => (this.list = list), (problem) => (this.problem = problem));
    });
    $effect(() => {
      void changed();
      const { wanted, collection } = this;
      this.statistics = null;
      if (!wanted) return;
      const question = { ...wanted, ...(collection === null ? {} : { collection }) };
      return later(() => api.explore(question), (statistics) => (this.statistics = statistics), () => undefined);
    });
  }

  async add(files: Iterable<File>): Promise<void> {
    for (const file of files) await workbench.try(() => api.importGames(file, { name: file.name }));
    await this.refresh();
  }

  async remove(collection: Collection): Promise<void> {
    await workbench.try(() => api.deleteCollection(collection.id));
    if (this.collection === collection.id) this.collection = null;
    await this.refresh();
  }

  async read(job: Job): Promise<void> {
    await workbench.try(() => live.forget(job.id));
  }
}

export const imported = (outcome: JobOutcome | null) => (outcome?.kind === 'imported' ? outcome : null);

function later<T>(ask: () => Promise<T>, take: (answer: T) => void, fail: (problem: string) => void): () => void {
  let current = true;
  const timer = setTimeout(async () => {
    try {
      const answer = await ask();
      if (current) take(answer);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (current) fail(error.message);
    }
  }, PAUSE);
  return () => {
    current = false;
    clearTimeout(timer);
  };
}
