// What the server tells without being asked: jobs and edits of others. Reconnects for ever.

import { SvelteMap } from 'svelte/reactivity';
import type { Job, JobState, Live, NewJob, SearchSummary, StudyChange } from './types';
import { api } from './client';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

export const unfinished = (state: JobState): boolean => ['queued', 'running', 'checking'].includes(state);

class LiveLink {
  /** All jobs the server knows, by number. */
  readonly jobs = new SvelteMap<number, Job>();
  /** All searches that were heard of, by number. */
  readonly searches = new SvelteMap<number, SearchSummary>();
  online = $state(false);
  /** When something was last heard, in milliseconds. */
  heard = $state(0);
  /** Grows when studies, proofs or collections came or went. */
  library = $state(0);

  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #studyWatchers = new Set<(change: StudyChange) => void>();
  /** Searches that were heard to be deleted. */
  #deleted = new Set<number>();
  #reconnectWatchers = new Set<() => void>();

  connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.#socket = socket;
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string) as Live);
    socket.onclose = () => this.#lost();
  }

  onStudy(watcher: (change: StudyChange) => void): () => void {
    this.#studyWatchers.add(watcher);
    return () => this.#studyWatchers.delete(watcher);
  }

  /** Called after each new connection: what was missed must be asked for. */
  onReconnect(watcher: () => void): () => void {
    this.#reconnectWatchers.add(watcher);
    return () => this.#reconnectWatchers.delete(watcher);
  }

  async start(job: NewJob): Promise<Job> {
    const made = await api.newJob(job);
    this.#take(made);
    return made;
  }

  async stop(id: number): Promise<void> {
    this.#take(await api.stopJob(id));
  }

  /** Stops a job if need be and takes it off the list. */
  async forget(id: number): Promise<void> {
    this.jobs.delete(id);
    await api.forgetJob(id).catch(() => undefined);
  }

  /** Waits for a job to end, however long the connection is lost in between. */
  ended(id: number): Promise<Job> {
    return new Promise((resolve) => {
      const stop = $effect.root(() => {
        $effect(() => {
          const job = this.jobs.get(id);
          if (job && !unfinished(job.state)) {
            queueMicrotask(() => stop());
            resolve(job);
          }
        });
      });
    });
  }

  /** All searches there are; others were deleted while nobody listened. A list may be older than what was heard since. */
  takeSearches(all: SearchSummary[]): void {
    const there = new Set(all.map(({ id }) => id));
    for (const id of [...this.searches.keys()]) if (!there.has(id)) this.searches.delete(id);
    all.filter(({ id }) => !this.#deleted.has(id)).forEach((search) => this.searches.set(search.id, search));
  }

  #take(job: Job): void {
    const known = this.jobs.get(job.id);
    if (!known || known.sequence <= job.sequence) this.jobs.set(job.id, job);
  }

  #hear(message: Live): void {
    this.heard = Date.now();
    switch (message.type) {
      case 'snapshot':
        this.#snapshot(message.jobs);
        break;
      case 'job':
        this.#take(message.job);
        break;
      case 'forgotten':
        this.jobs.delete(message.job);
        break;
      case 'study':
        this.#studyWatchers.forEach((watcher) => watcher(message.change));
        break;
      case 'search':
        this.#deleted.delete(message.search.id);
        this.searches.set(message.search.id, message.search);
        break;
      case 'search-deleted':
        this.#deleted.add(message.search);
        this.searches.delete(message.search);
        break;
      case 'library':
        this.library += 1;
        break;
    }
  }

  #snapshot(jobs: Job[]): void {
    const there = new Set(jobs.map((job) => job.id));
    for (const id of [...this.jobs.keys()]) if (!there.has(id)) this.jobs.delete(id);
    jobs.forEach((job) => this.jobs.set(job.id, job));
    const again = !this.online;
    this.online = true;
    this.#pause = FIRST_PAUSE;
    this.library += 1;
    if (again) this.#reconnectWatchers.forEach((watcher) => watcher());
  }

  #lost(): void {
    if (!this.#socket) return;
    this.#socket = null;
    this.online = false;
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    setTimeout(() => this.connect(), pause);
  }
}

export const live = new LiveLink();
