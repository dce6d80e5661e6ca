// All searches that were heard of or asked for. What was asked for may be older than what was heard since: an answer that
// was on its way when the server said that its search is gone must not bring it back.

import { SvelteMap } from 'svelte/reactivity';
import type { SearchSummary } from './types';

export class KnownSearches {
  /** By number. */
  readonly all = new SvelteMap<number, SearchSummary>();

  /** Counts what was heard. */
  #heard = 0;
  /** When each search was last heard of. */
  #heardOf = new Map<number, number>();
  #deleted = new Set<number>();

  /** To be noted before something is asked. */
  now(): number {
    return this.#heard;
  }

  /** The server says how a search stands. */
  hear(search: SearchSummary): void {
    this.#note(search.id);
    this.#deleted.delete(search.id);
    this.all.set(search.id, search);
  }

  /** The server says that a search is gone. */
  hearDeleted(id: number): void {
    this.#note(id);
    this.#deleted.add(id);
    this.all.delete(id);
  }

  /** An answer to what was asked at a time. */
  take(search: SearchSummary, asked: number): void {
    if (!this.#isOlder(search.id, asked)) this.all.set(search.id, search);
  }

  /** All searches there are, as asked at a time; others were deleted while nobody listened. */
  takeAll(list: SearchSummary[], asked: number): void {
    const there = new Set(list.map(({ id }) => id));
    for (const id of [...this.all.keys()]) if (!there.has(id) && !this.#isOlder(id, asked)) this.all.delete(id);
    list.forEach((search) => this.take(search, asked));
  }

  #note(id: number): void {
    this.#heard += 1;
    this.#heardOf.set(id, this.#heard);
  }

  #isOlder(id: number, asked: number): boolean {
    return this.#deleted.has(id) || (this.#heardOf.get(id) ?? 0) > asked;
  }
}
