// What a worker is like: its mark in the list, and the words beside it.

import type { GridWorker } from '../api/types';
import type { Key } from '../i18n';

export type Mood = 'busy' | 'idle' | 'leaving' | 'paused' | 'useless';

export function moodOf(worker: GridWorker): Mood {
  if (worker.dropped || worker.incompatible) return 'useless';
  if (worker.leaving) return 'leaving';
  if (worker.paused) return 'paused';
  return worker.running.length > 0 ? 'busy' : 'idle';
}

/** What it is like, where its jobs do not say that. */
export function stateOf(worker: GridWorker): Key | null {
  if (worker.dropped) return 'grid.worker.dropped';
  if (worker.incompatible) return 'grid.worker.incompatible';
  if (worker.leaving) return 'grid.worker.leaving';
  if (worker.paused) return 'grid.worker.paused';
  return worker.running.length === 0 ? 'grid.worker.idle' : null;
}
