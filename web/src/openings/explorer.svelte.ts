// A way through the openings: the position, what was played next in games, and what is known of it.

import { api } from '../api/client';
import type { Explored, ExploredTurn, Opinion, Side } from '../api/types';
import type { KnownCell } from '../board/marks';
import { type Glyph, glyphOf } from '../game/opinion';
import { TurnLine } from '../game/line.svelte';
import { replay } from '../game/position';
import { type Symmetry, symmetriesOf, turnedBy } from '../game/symmetry';

const PAUSE = 40;

export class Explorer {
  line = $state.raw(new TurnLine('connect6'));
  collection = $state<number | null>(null);
  explored = $state.raw<Explored | null>(null);
  /** The server did not answer. */
  failed = $state(false);
  /** The reply that Enter opens. */
  selected = $state(0);
  /** A reply that is looked at: its stones are shown. */
  looked = $state.raw<string[]>([]);

  open(rules: string, moves: string): void {
    const line = new TurnLine(rules, moves);
    line.toEnd();
    this.line = line;
  }

  /** Of these one reply stands for all that the position's own symmetries make of it. */
  #symmetries: Symmetry[] = $derived.by(() => {
    const { rules, played } = this.line;
    return symmetriesOf(rules, [...replay(rules, '', played).stones.values()]);
  });

  /** All turns that a reply stands for, with the stones of the half-turn. */
  #images({ turn }: ExploredTurn): string[][] {
    const { half } = this.line;
    const images = this.#symmetries.map((symmetry) => turnedBy(symmetry, turn));
    return images.filter((image) => half.every((cell) => image.includes(cell)));
  }

  /** Replies with the stones of the half-turn. */
  replies: ExploredTurn[] = $derived.by(() => {
    // The answer to the position before is no answer to this one.
    if (this.#about !== this.#question) return [];
    return (this.explored?.turns ?? []).flatMap((reply) => {
      const { half } = this.line;
      const turn = this.#images(reply)[0];
      return turn ? [{ ...reply, turn: [...half, ...turn.filter((cell) => !half.includes(cell))] }] : [];
    });
  });

  /** Which position `explored` is about. */
  #about = $state.raw('');

  get #question(): string {
    return `${this.line.rules.text} ${this.line.playedText}`;
  }

  /** Each cell with the best that is known for the side to move. */
  known: KnownCell[] = $derived.by(() => {
    const cells = new Map<string, Glyph>();
    const { toMove, stones } = this.line.position;
    for (const reply of this.replies) {
      const glyph = glyphOf(reply.opinion);
      for (const cell of this.#images(reply).flat()) {
        const before = cells.get(cell);
        if (!stones.has(cell) && (!before || worth(glyph, toMove) > worth(before, toMove))) cells.set(cell, glyph);
      }
    }
    return [...cells].map(([cell, glyph]) => ({ cell, glyph }));
  });

  play(reply: ExploredTurn | undefined): void {
    if (reply) this.line.play(reply.turn);
    this.looked = [];
  }

  /** Asks the server when the position or the collection changes; an answer that comes late is dropped. */
  follow(changed: () => unknown): void {
    $effect(() => {
      void changed();
      const { line, collection } = this;
      const question = { rules: line.rules.text, position: line.playedText, ...(collection === null ? {} : { collection }) };
      const about = this.#question;
      this.selected = 0;
      this.looked = [];
      let current = true;
      const timer = setTimeout(async () => {
        const answer = await api.explore(question).catch(() => null);
        if (current) [this.explored, this.failed, this.#about] = [answer, answer === null, about];
      }, PAUSE);
      return () => {
        current = false;
        clearTimeout(timer);
      };
    });
  }
}

function worth(glyph: Glyph, mover: Side): number {
  const other: Side = mover === 'black' ? 'white' : 'black';
  const order: Glyph[] = [`${other}-proved`, `${other}-likely`, 'open', 'even', `${mover}-likely`, `${mover}-proved`];
  return order.indexOf(glyph);
}

export function toneOf(opinion: Opinion | null): string {
  const glyph = glyphOf(opinion);
  return glyph.startsWith('black') ? 't-b' : glyph.startsWith('white') ? 't-w' : 'mut';
}
