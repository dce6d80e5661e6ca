// A tree of turns with what is written on them, and its changes. Plain data: no requests, no drawing.

import type { Node, Patch } from '../api/types';
import { sameTurn } from '../game/cells';

export const ROOT = 0;

export class Tree {
  readonly nodes = new Map<number, Node>();
  readonly #children = new Map<number, number[]>();
  #largest = 0;

  /** `next` is the first number that was never used. */
  constructor(nodes: readonly Node[], next = 1) {
    this.apply({ put: [...nodes], remove: [] });
    this.#largest = Math.max(this.#largest, next - 1);
  }

  node(id: number): Node {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`there is no node ${id}`);
    return node;
  }

  has(id: number): boolean {
    return this.nodes.has(id);
  }

  children(id: number): readonly number[] {
    return this.#children.get(id) ?? [];
  }

  parent(id: number): number | null {
    return this.node(id).parent;
  }

  /** From the root to the node, both included. */
  path(id: number): number[] {
    const path: number[] = [];
    for (let at: number | null = id; at !== null; at = this.node(at).parent) path.push(at);
    return path.reverse();
  }

  turns(id: number): string[][] {
    return this.path(id)
      .slice(1)
      .map((at) => this.node(at).turn);
  }

  childWith(id: number, turn: readonly string[]): number | undefined {
    return this.children(id).find((child) => sameTurn(this.node(child).turn, turn));
  }

  /** The node and all below it, parents first. */
  subtree(id: number): number[] {
    const found = [id];
    for (let next = 0; next < found.length; next += 1) found.push(...this.children(found[next]!));
    return found;
  }

  /** The end of the main line below a node. */
  lineEnd(id: number): number {
    let at = id;
    for (;;) {
      const first = this.children(at)[0];
      if (first === undefined) return at;
      at = first;
    }
  }

  newId(): number {
    return this.#largest + 1;
  }

  /** Removed first, then put, as the server does it. */
  apply(patch: Patch): void {
    for (const id of patch.remove) this.#detach(id);
    const parents = new Set<number>();
    for (const node of patch.put) {
      const known = this.nodes.get(node.id);
      if (known && known.parent !== node.parent) this.#detach(node.id);
      this.nodes.set(node.id, node);
      this.#largest = Math.max(this.#largest, node.id);
      if (node.parent === null) continue;
      const siblings = this.#children.get(node.parent);
      if (!siblings) this.#children.set(node.parent, [node.id]);
      else if (!siblings.includes(node.id)) siblings.push(node.id);
      parents.add(node.parent);
    }
    for (const id of patch.remove) if (!this.nodes.has(id)) this.#children.delete(id);
    for (const parent of parents) {
      this.#children.get(parent)?.sort((a, b) => this.node(a).order - this.node(b).order);
    }
  }

  #detach(id: number): void {
    const node = this.nodes.get(id);
    if (!node) return;
    this.nodes.delete(id);
    if (node.parent === null) return;
    const siblings = this.#children.get(node.parent);
    const at = siblings?.indexOf(id) ?? -1;
    if (at >= 0) siblings!.splice(at, 1);
  }

  // Changes, as patches.

  adding(parent: number, turn: readonly string[]): { patch: Patch; id: number } {
    const last = this.children(parent).at(-1);
    const node: Node = {
      ...EMPTY_NODE,
      id: this.newId(),
      parent,
      order: last === undefined ? 0 : this.node(last).order + 1,
      turn: [...turn],
    };
    return { patch: { put: [node], remove: [] }, id: node.id };
  }

  removing(id: number): Patch {
    return { put: [], remove: this.subtree(id).reverse() };
  }

  changing(id: number, change: Partial<Node>): Patch {
    return { put: [{ ...this.node(id), ...change }], remove: [] };
  }

  movingToFront(id: number): Patch {
    const { parent } = this.node(id);
    const first = parent === null ? undefined : this.children(parent)[0];
    if (first === undefined || first === id) return { put: [], remove: [] };
    return this.changing(id, { order: this.node(first).order - 1 });
  }

  /** Grafts a tree whose parent 0 is `at` (as jobs give it), sharing turns that are there already. */
  grafting(at: number, nodes: readonly Node[]): Patch {
    const put: Node[] = [];
    const ids = new Map<number, number>([[0, at]]);
    const added = new Map<number, number>();
    let next = this.newId();
    for (const node of nodes) {
      const parent = ids.get(node.parent ?? 0);
      if (parent === undefined) continue;
      const known = this.nodes.has(parent) ? this.childWith(parent, node.turn) : undefined;
      if (known !== undefined) {
        ids.set(node.id, known);
        const old = this.node(known);
        const comment = old.comment === '' ? node.comment : old.comment;
        put.push({ ...old, comment, opinion: node.opinion ?? old.opinion });
        continue;
      }
      const last = this.nodes.has(parent) ? this.children(parent).at(-1) : undefined;
      const place = added.get(parent) ?? (last === undefined ? 0 : this.node(last).order + 1);
      added.set(parent, place + 1);
      ids.set(node.id, next);
      put.push({ ...node, id: next, parent, order: place });
      next += 1;
    }
    return { put, remove: [] };
  }
}

const EMPTY_NODE: Omit<Node, 'id' | 'parent' | 'order' | 'turn'> = {
  name: '',
  comment: '',
  marks: [],
  arrows: [],
  opinion: null,
};

export const isEmpty = (patch: Patch): boolean => patch.put.length === 0 && patch.remove.length === 0;
