// A way through the openings: the position, what was played next in games, and what the book knows of it.

import { api } from '../api/client';
import type { BookEntry, BookTurn, Explored, ExploredTurn, Opinion, Side } from '../api/types';
import type { KnownCell } from '../board/marks';
import { sameTurn } from '../game/cells';
import { type Glyph, glyphOf } from '../game/opinion';
import { TurnLine } from '../game/line.svelte';
import { replay } from '../game/position';
import { type Symmetry, symmetriesOf, turnedBy } from '../game/symmetry';
import { settings } from '../settings.svelte';

const PAUSE = 40;

/** A turn that games or the book know. */
export interface Reply extends ExploredTurn {
  book: BookTurn | null;
}

export class Explorer {
  line = $state.raw(new TurnLine('connect6'));
  collection = $state<number | null>(null);
  explored = $state.raw<Explored | null>(null);
  book = $state.raw<BookEntry | null>(null);
  /** The server did not answer. */
  failed = $state(false);
  /** The reply that Enter opens. */
  selected = $state(0);
  /** A reply that is looked at: its stones are shown. */
  looked = $state.raw<string[]>([]);
  /** Grows when the book is to be asked again. */
  #asked = $state(0);

  /** Stones in play order, or a set-up. */
  open(rules: string, position: string): void {
    if (position.includes(':')) this.show(rules, position, []);
    else this.#walk(new TurnLine(rules, position));
  }

  /** Turns after a start, which is a set-up or stones in play order. */
  show(rules: string, start: string, turns: string[][]): void {
    const setup = start.includes(':');
    const line = new TurnLine(rules, setup ? '' : start, setup ? start : '');
    line.turns = [...line.turns, ...turns];
    this.#walk(line);
  }

  #walk(line: TurnLine): void {
    line.toEnd();
    this.line = line;
  }

  askAgain(): void {
    this.#asked += 1;
  }

  /** Of these one reply stands for all that the position's own symmetries make of it. */
  #symmetries: Symmetry[] = $derived.by(() => {
    const { rules, start, played } = this.line;
    return symmetriesOf(rules, [...replay(rules, start, played).stones.values()]);
  });

  /** All turns that a reply stands for, with the stones of the half-turn. */
  #images({ turn }: { turn: string[] }): string[][] {
    const { half } = this.line;
    const images = this.#symmetries.map((symmetry) => turnedBy(symmetry, turn));
    return images.filter((image) => half.every((cell) => image.includes(cell)));
  }

  /** What games and the book know, each turn once. */
  #turns: Reply[] = $derived.by(() => {
    const { perTurn, firstTurn } = this.line.rules;
    const whole = this.line.played.length === 0 && this.line.start === '' ? firstTurn : perTurn;
    const book = (this.book?.turns ?? []).filter(({ turn, ends }) => turn.length === whole || ends);
    const same = (a: string[], b: string[]) => this.#symmetries.some((symmetry) => sameTurn(turnedBy(symmetry, a), b));
    const known = (this.explored?.turns ?? []).map((reply) => ({ ...reply, book: book.find(({ turn }) => same(turn, reply.turn)) ?? null }));
    const others = book.filter((turn) => !known.some((reply) => reply.book === turn));
    const replies = [...known, ...others.map((turn) => ({ turn: turn.turn, ...turn.stats, others: turn.stats.games - turn.stats.black - turn.stats.white, opinion: null, book: turn }))];
    const proved = ({ opinion }: Reply) => Number(opinion?.certainty === 'proved' && opinion.side === this.line.position.toMove);
    // Proved wins of the side to move first; otherwise the order they came in.
    return replies.map((reply) => ({ ...reply, opinion: provedBy(reply.book) ?? reply.opinion })).sort((a, b) => proved(b) - proved(a));
  });

  /** Replies with the stones of the half-turn. */
  replies: Reply[] = $derived.by(() => {
    // The answer to the position before is no answer to this one.
    if (this.#about !== this.#question) return [];
    return this.#turns.flatMap((reply) => {
      const { half } = this.line;
      const turn = this.#images(reply)[0];
      return turn ? [{ ...reply, turn: [...half, ...turn.filter((cell) => !half.includes(cell))] }] : [];
    });
  });

  /** What the book says of the position on the board. */
  entry: BookEntry | null = $derived.by(() => (this.#about === this.#question ? this.book : null));

  /** Which position `explored` and `book` are about. */
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
      void this.#asked;
      const { line, collection } = this;
      const where = { rules: line.rules.text, position: line.playedText };
      const question = { ...where, ...(collection === null ? {} : { collection }) };
      const { language } = settings;
      const about = this.#question;
      this.selected = 0;
      this.looked = [];
      let current = true;
      const timer = setTimeout(async () => {
        const answers = [api.explore(question).catch(() => null), api.book({ ...where, language }).catch(() => null)] as const;
        const [explored, book] = await Promise.all(answers);
        if (current) [this.explored, this.book, this.failed, this.#about] = [explored, book, explored === null, about];
      }, PAUSE);
      return () => {
        current = false;
        clearTimeout(timer);
      };
    });
  }
}

/** What a verified proof in the book says of a turn. */
function provedBy(turn: BookTurn | null): Opinion | null {
  const winner = turn?.proved?.winner;
  return winner ? { certainty: 'proved', side: winner, black: winner === 'black' ? 1 : 0, turns: null, grade: null, proof: null } : null;
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
