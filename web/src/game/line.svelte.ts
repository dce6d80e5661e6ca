// One line of turns that is walked stone by stone: a game, or a way through the openings.

import { parseCells, sameTurn } from './cells';
import type { Side } from '../api/types';
import { canPlace, place, type Position, replay, startPosition } from './position';
import { parseRules, type Rules } from './rules';
import { setupText } from '../study/study.svelte';

/** A position as the server understands it, stones in play order or a set-up, on a board. */
export function positionOf(rules: Rules, text: string): Position {
  return text.includes(':') ? startPosition(rules, text) : replay(rules, '', turnsOf(rules, text));
}

/** Stones in play order as turns; the last one may be short. */
export function turnsOf(rules: Rules, moves: string): string[][] {
  const stones = parseCells(moves) ?? [];
  const turns: string[][] = [];
  for (let at = 0; at < stones.length; ) {
    const count = turns.length === 0 ? rules.firstTurn : rules.perTurn;
    turns.push(stones.slice(at, at + count));
    at += count;
  }
  return turns;
}

export class TurnLine {
  readonly rules: Rules;
  /** All turns, those further on included. */
  turns = $state.raw<string[][]>([]);
  /** How many of them are on the board. */
  current = $state(0);
  half = $state.raw<string[]>([]);

  /** A line from the empty board, or with `start` from a set-up. */
  constructor(rules: string, moves = '', readonly start = '') {
    this.rules = parseRules(rules);
    this.turns = turnsOf(this.rules, moves);
  }

  /** Who plays the first turn. */
  get first(): Side {
    return startPosition(this.rules, this.start).toMove;
  }

  played = $derived.by(() => this.turns.slice(0, this.current));

  position: Position = $derived.by(() => {
    const position = replay(this.rules, this.start, this.played);
    for (const cell of this.half) if (canPlace(position, cell)) place(position, cell);
    return position;
  });

  /** For the server: whole turns only, a half-turn left out. */
  playedText: string = $derived.by(() => this.#text(this.played));

  /** For the server, with the half-turn. */
  positionText: string = $derived.by(() => this.#text(this.half.length > 0 ? [...this.played, this.half] : this.played));

  get last(): string[] {
    return this.half.length > 0 ? [] : (this.played.at(-1) ?? []);
  }

  get next(): number | undefined {
    return this.current < this.turns.length ? this.current + 1 : undefined;
  }

  /** The positions after no turn, one turn, and so on. */
  *positions(): Generator<Position> {
    for (let count = 0; count <= this.turns.length; count += 1) yield replay(this.rules, this.start, this.turns.slice(0, count));
  }

  goTo(current: number, half: string[] = []): void {
    this.current = Math.min(Math.max(current, 0), this.turns.length);
    this.half = half;
  }

  toStart(): void {
    this.goTo(0);
  }

  toEnd(): void {
    this.goTo(this.turns.length);
  }

  backTurn(): void {
    this.goTo(this.half.length > 0 ? this.current : this.current - 1);
  }

  forwardTurn(): void {
    this.goTo(this.current + 1);
  }

  backStone(): void {
    if (this.half.length > 0) this.goTo(this.current, this.half.slice(0, -1));
    else if (this.current > 0) this.goTo(this.current - 1, this.turns[this.current - 1]!.slice(0, -1));
  }

  forwardStone(): void {
    const rest = (this.turns[this.current] ?? []).filter((cell) => !this.half.includes(cell));
    if (rest.length <= 1) this.goTo(this.current + 1);
    else this.goTo(this.current, [...this.half, rest[0]!]);
  }

  /** Places a stone, or lifts the half-turn's stone that is there. Ends the turn with its last stone. */
  place(cell: string): void {
    if (this.half.includes(cell)) {
      this.half = this.half.filter((stone) => stone !== cell);
      return;
    }
    const { position } = this;
    if (!canPlace(position, cell)) return;
    const stones = [...this.half, cell];
    const after = replay(this.rules, this.start, [...this.played, stones]);
    if (after.turn === position.turn && !after.winner && !after.full) this.half = stones;
    else this.play(stones);
  }

  play(turn: string[]): void {
    const known = this.turns[this.current];
    if (!known || !sameTurn(known, turn)) this.turns = [...this.played, turn];
    this.goTo(this.current + 1);
  }

  #text(turns: string[][]): string {
    const whole = (turn: string[], index: number) =>
      turn.length === (index === 0 ? this.rules.firstTurn : this.rules.perTurn) || index === turns.length - 1;
    return this.start === '' && turns.every(whole) ? turns.flat().join(' ') : setupText(replay(this.rules, this.start, turns));
  }
}
