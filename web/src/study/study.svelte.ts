// The study on the screen: its tree, where one is in it, the half-turn, and saving.

import { api, ApiFailure } from '../api/client';
import { live } from '../api/live.svelte';
import type { Document, Edited, Node, Patch, Study, StudyChange } from '../api/types';
import { canPlace, place, type Position, replay } from '../game/position';
import { parseRules, type Rules } from '../game/rules';
import { isEmpty, ROOT, Tree } from './tree';
import { keep, kept } from '../storage';

/** How saving stands. */
export type Saving = 'saved' | 'saving' | 'offline';

interface PendingEdit {
  label: string;
  patch: Patch;
  /** Put nodes that were there, as they were: an edit changes only what it made different. */
  before: Node[];
}

const RETRY = 1_000;

export class OpenStudy {
  study = $state.raw<Study>() as Study;
  current = $state(ROOT);
  /** Stones of a turn that is not finished: kept here only, never a node. */
  half = $state.raw<string[]>([]);
  saving = $state<Saving>('saved');
  savedAt = $state(Date.now());
  /** What went wrong last, in words. */
  problem = $state('');
  readonly rules: Rules;

  #tree: Tree;
  #version = $state(0);
  #pending: PendingEdit[] = [];
  /** Others have edited while we were saving: the tree must be asked for. */
  #missed = false;
  #closed = false;
  #sending: Promise<void> | null = null;
  #leave: (() => void)[] = [];
  /** Where "forward" goes from a node: where one came back from. */
  #wayBack = new Map<number, number>();

  constructor(document: Document) {
    this.study = document.study;
    this.rules = parseRules(document.study.rules);
    this.#tree = new Tree(document.nodes, document.study.next_node);
    this.#recall();
    this.#leave.push(
      live.onStudy((change) => this.#heard(change)),
      live.onReconnect(() => void this.#reconnected()),
    );
  }

  static async open(id: number): Promise<OpenStudy> {
    return new OpenStudy(await api.study(id));
  }

  close(): void {
    this.#closed = true;
    this.#leave.forEach((leave) => leave());
  }

  /** The tree; whoever reads it is called again when it changes. */
  get tree(): Tree {
    void this.#version;
    return this.#tree;
  }

  get version(): number {
    return this.#version;
  }

  get node(): Node {
    return this.tree.node(this.current);
  }

  /** The turns to the current node. */
  turns = $derived.by(() => this.tree.turns(this.current));

  /** The position at the current node with the half-turn on top. */
  position: Position = $derived.by(() => {
    if (this.half.length === 0) return this.nodePosition;
    const position = replay(this.rules, this.study.start, this.turns);
    for (const cell of this.half) if (canPlace(position, cell)) place(position, cell);
    return position;
  });

  /** The position as text for the server; a half-turn included. */
  positionText: string = $derived.by(() => this.#text(this.position, this.half));

  /** The position without the half-turn. */
  nodePosition: Position = $derived.by(() => replay(this.rules, this.study.start, this.turns));

  nodeText: string = $derived.by(() => this.#text(this.nodePosition, []));

  #text(position: Position, half: readonly string[]): string {
    const stones = [...this.turns.flat(), ...half];
    return this.study.start === '' && this.#playedOut ? stones.join(' ') : setupText(position);
  }

  /** Whether the stones in play order tell the position: no turn is short. */
  #playedOut = $derived.by(() => {
    const { firstTurn, perTurn } = this.rules;
    const last = this.turns.length - 1;
    return this.turns.every((turn, index) => turn.length === (index === 0 ? firstTurn : perTurn) || (index === last && turn.length > 0));
  });

  // Playing.

  /** Places a stone, or lifts the half-turn's stone that is there. Ends the turn with its last stone. */
  place(cell: string): boolean {
    if (this.half.includes(cell)) {
      this.#setHalf(this.half.filter((stone) => stone !== cell));
      return true;
    }
    const { position } = this;
    if (!canPlace(position, cell)) return false;
    const { turn } = position;
    const after = replay(this.rules, this.study.start, this.turns);
    for (const stone of [...this.half, cell]) place(after, stone);
    const stones = [...this.half, cell];
    if (after.turn === turn && !after.winner && !after.full) this.#setHalf(stones);
    else this.playTurn(stones);
    return true;
  }

  /** Goes to the child with this turn, adding it if need be. */
  playTurn(turn: readonly string[]): void {
    if (this.#completeTurn(turn)) return;
    const known = this.#tree.childWith(this.current, turn);
    if (known !== undefined) {
      this.goTo(known);
      return;
    }
    const { patch, id } = this.#tree.adding(this.current, turn);
    this.edit('add', patch);
    this.goTo(id);
  }

  /** A node with a part of a turn (a file or a link had it so) gets the rest. */
  #completeTurn(rest: readonly string[]): boolean {
    const { parent, turn: begun } = this.#tree.node(this.current);
    if (parent === null || begun.length === 0) return false;
    const before = replay(this.rules, this.study.start, this.#tree.turns(parent));
    const { winner, full, turn } = this.nodePosition;
    if (winner || full || turn !== before.turn) return false;
    const whole = [...begun, ...rest];
    const known = this.#tree.childWith(parent, whole);
    if (known === undefined) this.change('add', { turn: whole });
    this.goTo(known ?? this.current);
    return true;
  }

  /** Lifts one stone: of the half-turn, or of the last turn (which stays in the tree). */
  lift(): void {
    if (this.half.length > 0) {
      this.#setHalf(this.half.slice(0, -1));
      return;
    }
    this.backStone();
  }

  // Going about.

  goTo(id: number, half: string[] = []): void {
    if (!this.#tree.has(id)) return;
    for (const at of this.#tree.path(id)) {
      const { parent } = this.#tree.node(at);
      if (parent !== null) this.#wayBack.set(parent, at);
    }
    this.current = id;
    this.#setHalf(half);
  }

  get next(): number | undefined {
    const children = this.tree.children(this.current);
    const before = this.#wayBack.get(this.current);
    return before !== undefined && children.includes(before) ? before : children[0];
  }

  backTurn(): void {
    const parent = this.#tree.parent(this.current);
    if (this.half.length > 0) this.#setHalf([]);
    else if (parent !== null) this.goTo(parent);
  }

  forwardTurn(): void {
    if (this.next !== undefined) this.goTo(this.next);
  }

  backStone(): void {
    if (this.half.length > 0) {
      this.#setHalf(this.half.slice(0, -1));
      return;
    }
    const { parent, turn } = this.#tree.node(this.current);
    if (parent !== null) this.goTo(parent, turn.slice(0, -1));
  }

  forwardStone(): void {
    const { next } = this;
    if (next === undefined) return;
    const rest = this.#tree.node(next).turn.filter((cell) => !this.half.includes(cell));
    const inside = rest.length < this.#tree.node(next).turn.length || this.half.length === 0;
    if (!inside || rest.length <= 1) this.goTo(next);
    else this.#setHalf([...this.half, rest[0]!]);
  }

  toStart(): void {
    this.goTo(ROOT);
  }

  toEnd(): void {
    let at = this.current;
    for (;;) {
      const children = this.#tree.children(at);
      const before = this.#wayBack.get(at);
      const next = before !== undefined && children.includes(before) ? before : children[0];
      if (next === undefined) break;
      at = next;
    }
    this.goTo(at);
  }

  /** To the next (1) or previous (-1) variation. */
  toSibling(step: 1 | -1): void {
    const { parent } = this.#tree.node(this.current);
    if (parent === null) return;
    const siblings = this.#tree.children(parent);
    const sibling = siblings[siblings.indexOf(this.current) + step];
    if (sibling !== undefined) this.goTo(sibling);
  }

  // Editing. Each edit is shown at once, kept until the server has it, and sent in order.

  edit(label: string, patch: Patch): void {
    if (isEmpty(patch)) return;
    const before = patch.put.filter(({ id }) => this.#tree.has(id)).map(({ id }) => this.#tree.node(id));
    this.#apply(patch);
    this.#pending.push({ label, patch, before });
    this.#keepPending();
    void this.flush();
  }

  change(label: string, change: Partial<Node>, id = this.current): void {
    this.edit(label, this.#tree.changing(id, change));
  }

  remove(id = this.current): void {
    const { parent } = this.#tree.node(id);
    if (parent === null) return;
    const inside = this.#tree.path(this.current).includes(id);
    const patch = this.#tree.removing(id);
    if (inside) this.goTo(parent);
    this.edit('delete', patch);
  }

  moveToFront(id = this.current): void {
    this.edit('reorder', this.#tree.movingToFront(id));
  }

  async undo(): Promise<void> {
    await this.#backOrForth(api.undo);
  }

  async redo(): Promise<void> {
    await this.#backOrForth(api.redo);
  }

  /** Sends what is pending, one edit after the other. */
  flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
      if (this.#pending.length > 0 && !this.#closed) setTimeout(() => void this.flush(), RETRY);
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      this.saving = 'saving';
      const { label, patch } = next;
      try {
        if (!isEmpty(patch)) this.#saved(await api.edit(this.study.id, { base: this.study.revision, label, patch }));
        this.#dropFirst();
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (!(await this.#refused(error))) return;
      }
    }
    this.saving = 'saved';
    if (this.#missed) await this.reload().catch(() => undefined);
  }

  #dropFirst(): void {
    this.#pending.shift();
    this.#keepPending();
  }

  /** The server has another tree than we, or does not want the edit; whether to go on at once. */
  async #refused(error: ApiFailure): Promise<boolean> {
    const final = ['bad-request', 'too-large', 'not-found'].includes(error.code);
    if (!final && error.code !== 'conflict') {
      // Away or busy: later.
      this.saving = 'offline';
      return false;
    }
    if (final) {
      this.problem = error.message;
      this.#dropFirst();
    }
    try {
      await this.reload();
      return true;
    } catch {
      this.saving = 'offline';
      return false;
    }
  }

  /** The tree as the server has it, with our unsaved edits on top. */
  async reload(): Promise<void> {
    const document = await api.study(this.study.id);
    if (document.study.revision < this.study.revision) return;
    this.#missed = false;
    const way = this.#way();
    this.study = document.study;
    this.#tree = new Tree(document.nodes, document.study.next_node);
    const ids = this.#rebase();
    this.#changed(way.map((id) => ids.get(id) ?? id));
  }

  /** Makes the unsaved edits again on another tree: new nodes take new numbers, or the node that has their turn. */
  #rebase(): Map<number, number> {
    const ids = new Map<number, number>();
    const now = (id: number): number => ids.get(id) ?? id;
    for (const edit of this.#pending) {
      const put: Node[] = [];
      let next = this.#tree.newId();
      for (const node of edit.patch.put) {
        const old = edit.before.find(({ id }) => id === node.id);
        if (old) {
          if (this.#tree.has(now(node.id))) put.push(merged(this.#tree.node(now(node.id)), node, old));
          continue;
        }
        const parent = now(node.parent ?? ROOT);
        const known = this.#tree.has(parent) ? this.#tree.childWith(parent, node.turn) : undefined;
        ids.set(node.id, known ?? next);
        if (known === undefined) put.push({ ...node, id: next++, parent });
      }
      edit.patch = { put, remove: edit.patch.remove.map(now).filter((id) => this.#tree.has(id)) };
      edit.before = put.filter(({ id }) => this.#tree.has(id)).map(({ id }) => this.#tree.node(id));
      this.#tree.apply(edit.patch);
    }
    this.#keepPending();
    return ids;
  }

  async #backOrForth(ask: typeof api.undo): Promise<void> {
    await this.flush();
    try {
      const undone = await ask(this.study.id, this.study.revision);
      this.#apply(undone.patch);
      this.#saved(undone.edited);
      const shown = undone.patch.put.find((node) => node.id !== ROOT);
      if (shown) this.goTo(shown.id);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.code === 'conflict') await this.reload();
      else this.problem = error.message;
    }
  }

  #apply(patch: Patch): void {
    const way = this.#way();
    this.#tree.apply(patch);
    this.#changed(way);
  }

  /** From the root to where one is. */
  #way(): number[] {
    return this.#tree.has(this.current) ? this.#tree.path(this.current) : [ROOT];
  }

  /** Stays where one was, or goes back to what is left of the way there. */
  #changed(way: number[]): void {
    const at = way.findLast((id) => this.#tree.has(id)) ?? ROOT;
    if (at !== this.current) {
      this.current = at;
      this.#setHalf([]);
    }
    this.#version += 1;
  }

  #saved(edited: Edited): void {
    this.study = { ...this.study, ...edited, nodes: this.#tree.nodes.size };
    this.savedAt = Date.now();
  }

  /** Somebody edited the study: another window, or we ourselves. */
  #heard(change: StudyChange): void {
    if (change.study !== this.study.id || change.edited.revision <= this.study.revision) return;
    // Our own edit, whose answer is still on its way, comes back here first; so may others'.
    if (this.#sending) {
      this.#missed ||= change.edited.revision > this.study.revision + 1;
      return;
    }
    if (change.edited.revision === this.study.revision + 1) {
      this.#apply(change.patch);
      this.#saved(change.edited);
    } else {
      void this.reload();
    }
  }

  async #reconnected(): Promise<void> {
    if (this.#pending.length > 0) await this.flush();
    const { revision } = this.study;
    const now = await api.study(this.study.id).catch(() => null);
    if (now && now.study.revision !== revision && this.#pending.length === 0) await this.reload();
  }

  // What a reload of the page must not lose: where one is, the half-turn, unsaved edits.

  #setHalf(half: string[]): void {
    this.half = half;
    keep(`study.${this.study.id}.at`, { node: this.current, half });
  }

  #keepPending(): void {
    keep(`study.${this.study.id}.pending`, this.#pending.length > 0 ? { edits: this.#pending } : null);
  }

  #recall(): void {
    const { id } = this.study;
    const at = kept<{ node: number; half: string[] }>(`study.${id}.at`);
    if (at && this.#tree.has(at.node)) {
      this.current = at.node;
      this.half = at.half;
    } else {
      this.current = this.#tree.lineEnd(ROOT);
    }
    const pending = kept<{ edits: PendingEdit[] }>(`study.${id}.pending`);
    if (pending) {
      // Some of them may be saved already: then their turns are there and nothing is added twice.
      this.#pending = pending.edits.map((edit) => ({ ...edit, before: edit.before ?? [] }));
      const ids = this.#rebase();
      this.#changed(this.#way().map((id) => ids.get(id) ?? id));
      void this.flush();
    }
  }
}

/** A node as it is now with what an edit changed of it. */
function merged(now: Node, edited: Node, before: Node): Node {
  const differs = ([key, value]: [string, unknown]): boolean =>
    key !== 'id' && key !== 'parent' && JSON.stringify(value) !== JSON.stringify(before[key as keyof Node]);
  return { ...now, ...Object.fromEntries(Object.entries(edited).filter(differs)) };
}

/** The position as a set-up. */
export function setupText(position: Position): string {
  const of = (side: string) =>
    [...position.stones.values()].filter((stone) => stone.side === side).map((stone) => stone.cell);
  const part = (letter: string, cells: string[]) => (cells.length > 0 ? `${letter}:${cells.join(',')} ` : '');
  const left = position.left === position.rules.perTurn ? '' : ` left:${position.left}`;
  return `${part('B', of('black'))}${part('W', of('white'))}to-move:${position.toMove === 'black' ? 'B' : 'W'}${left}`;
}
