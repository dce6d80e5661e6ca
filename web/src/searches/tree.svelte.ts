// The tree of a search as far as somebody looks into it. Nodes are fetched when they are opened, and again when the
// server says that the search has changed.

import { untrack } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { api } from '../api/client';
import { live } from '../api/live.svelte';
import type { SearchChild, SearchNode, SearchSummary } from '../api/types';

export const ROOT = 0;

/** So many turns of a node are shown before somebody asks for more. */
const FEW = 12;

/** So many nodes the server tells at once. */
const MOST = 300;

/** A line of the table. */
export interface TreeRow {
  /** Of the way to it: the same node may be reached in several ways. */
  key: string;
  depth: number;
  /** None at the root. */
  parent: number | null;
  node: number;
  turn: string[];
  /** The root is told by its node. */
  child: SearchChild | SearchNode;
  excluded: boolean;
  opened: boolean;
  /** Whether there is anything to open. */
  inside: boolean;
  principal: boolean;
}

/** Where more turns hide. */
export interface MoreRow {
  key: string;
  depth: number;
  parent: number;
  hidden: number;
}

const isNode = (child: SearchChild | SearchNode): child is SearchNode => 'line' in child;

export class SearchTree {
  readonly nodes = new SvelteMap<number, SearchNode>();
  readonly opened = new SvelteSet<number>([ROOT]);
  /** Nodes of which all turns are shown. */
  readonly unfolded = new SvelteSet<number>();
  principal = $state.raw<number[]>([]);
  /** Opens what the search works on. */
  follows = $state(true);
  /** The row that is chosen. */
  selected = $state<string>('');
  problem = $state('');

  /** Folded by hand: they stay so, whatever is at work in them. */
  #folded = new Set<number>();
  #asking = false;
  #again = false;

  constructor(readonly id: number) {}

  get search(): SearchSummary | undefined {
    return live.searches.get(this.id);
  }

  rows: (TreeRow | MoreRow)[] = $derived.by(() => {
    const root = this.nodes.get(ROOT);
    if (!root) return [];
    const rows: (TreeRow | MoreRow)[] = [];
    this.#list({ key: '0', depth: 0, parent: null, node: ROOT, turn: [], child: root, excluded: false }, rows);
    return rows;
  });

  get chosen(): TreeRow | undefined {
    return this.rows.find((row): row is TreeRow => 'node' in row && row.key === this.selected);
  }

  #list(row: Omit<TreeRow, 'opened' | 'inside' | 'principal'>, rows: (TreeRow | MoreRow)[]): void {
    const node = this.nodes.get(row.node);
    const inside = isNode(row.child) ? row.child.children.length > 0 : row.child.children > 0;
    const opened = inside && this.opened.has(row.node);
    rows.push({ ...row, opened, inside, principal: this.principal.includes(row.node) });
    if (!opened || !node) return;
    const depth = row.depth + 1;
    const shown = this.unfolded.has(row.node) ? node.children : node.children.filter((child, index) => index < FEW || this.opened.has(child.node) || child.active);
    for (const child of shown) {
      this.#list({ key: `${row.key}/${child.node}`, depth, parent: row.node, node: child.node, turn: child.turn, child, excluded: child.excluded }, rows);
    }
    const hidden = node.children.length - shown.length + node.more;
    if (hidden > 0) rows.push({ key: `${row.key}/more`, depth, parent: row.node, hidden });
  }

  /** Changes with everything that the tree shows: every answer brings a new summary, which mostly says the same. */
  readonly #version = $derived([this.search?.events, this.search?.active, this.search?.state, live.online, this.follows].join());

  /** Follows the search: asks whenever it has changed. */
  follow(): void {
    $effect(() => {
      void this.#version;
      untrack(() => void this.refresh());
    });
  }

  toggle(node: number): void {
    if (this.opened.delete(node)) {
      this.#folded.add(node);
      return;
    }
    this.#folded.delete(node);
    this.opened.add(node);
    void this.refresh();
  }

  /** Fetches what is open, and what the search works on; one request at a time. */
  async refresh(): Promise<void> {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    do {
      this.#again = false;
      await this.#fetch();
    } while (this.#again);
    this.#asking = false;
  }

  async #fetch(): Promise<void> {
    try {
      if (this.follows) {
        const { nodes } = await this.#take(() => api.searchTree(this.id));
        for (const { id, children } of nodes) if (children.length > 0 && !this.#folded.has(id)) this.opened.add(id);
      }
      const open = [...this.opened].slice(0, MOST);
      await this.#take(() => api.searchTree(this.id, { ids: open.join(',') }));
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  async #take(ask: () => ReturnType<typeof api.searchTree>): ReturnType<typeof api.searchTree> {
    const tree = await live.askSearch(ask, ({ search }) => search);
    for (const node of tree.nodes) this.nodes.set(node.id, node);
    this.principal = tree.principal;
    return tree;
  }

  /** The turns from the search's root to a node, by the line its turns are written for. */
  async lineOf(node: number): Promise<string[][]> {
    if (!this.nodes.has(node)) await this.#take(() => api.searchTree(this.id, { ids: String(node) })).catch(() => undefined);
    return this.nodes.get(node)?.line ?? [];
  }
}
