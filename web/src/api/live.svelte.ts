// What the server tells without being asked: jobs and edits of others. Reconnects for ever.

import { SvelteMap } from 'svelte/reactivity';
import { api } from './client';
import { KnownSearches } from './searches.svelte';
import type { GridSummary, Job, JobState, Live, NewJob, SearchSummary, StudyChange } from './types';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

export const unfinished = (state: JobState): boolean => ['queued', 'running', 'checking'].includes(state);

class LiveLink {
  /** All jobs the server knows, by number. */
  readonly jobs = new SvelteMap<number, Job>();
  /** All searches that were heard of or asked for. */
  readonly known = new KnownSearches();
  /** The same by number, to look at. */
  readonly searches: ReadonlyMap<number, SearchSummary> = this.known.all;
  /** The grid in a few numbers, once something happens there. */
  grid = $state.raw<GridSummary | null>(null);
  online = $state(false);
  /** When something was last heard, in milliseconds. */
  heard = $state(0);
  /** Grows when the server tells everything anew: something may have been missed. */
  afresh = $state(0);
  /** Grows when studies, proofs or collections came or went. */
  library = $state(0);

  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #studyWatchers = new Set<(change: StudyChange) => void>();
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

  /** Asks which searches there are. */
  async askSearches(): Promise<void> {
    const asked = this.known.now();
    this.known.takeAll(await api.searches(), asked);
  }

  /** Asks something whose answer says how a search stands. */
  async askSearch<T>(ask: () => Promise<T>, search: (answer: T) => SearchSummary): Promise<T> {
    const asked = this.known.now();
    const answer = await ask();
    this.known.take(search(answer), asked);
    return answer;
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
        this.known.hear(message.search);
        break;
      case 'search-deleted':
        this.known.hearDeleted(message.search);
        break;
      case 'grid':
        this.grid = message.grid;
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
    this.afresh += 1;
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
