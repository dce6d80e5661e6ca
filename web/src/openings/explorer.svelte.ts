// A way through the openings: the position, what was played next in games, and what is known of it.

import { api } from '../api/client';
import type { Explored, ExploredTurn, Opinion, Side } from '../api/types';
import type { KnownCell } from '../board/marks';
import { type Glyph, glyphOf } from '../game/opinion';
import { TurnLine } from '../game/line.svelte';

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

  /** Replies with the stones of the half-turn. */
  replies: ExploredTurn[] = $derived.by(() => {
    const { half } = this.line;
    return (this.explored?.turns ?? []).filter(({ turn }) => half.every((cell) => turn.includes(cell)));
  });

  /** Each cell with the best that is known for the side to move. */
  known: KnownCell[] = $derived.by(() => {
    const cells = new Map<string, Glyph>();
    const { toMove, stones } = this.line.position;
    for (const { turn, opinion } of this.replies) {
      for (const cell of turn) {
        const [glyph, before] = [glyphOf(opinion), cells.get(cell)];
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
      this.selected = 0;
      this.looked = [];
      let current = true;
      const timer = setTimeout(async () => {
        const answer = await api.explore(question).catch(() => null);
        if (current) [this.explored, this.failed] = [answer, answer === null];
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
