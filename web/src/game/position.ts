// A position as the page needs it: stones with their turns, who moves, who has won. The server is the judge; this
// answers within a frame.

import type { Side } from '../api/types';
import { type Cell, cellName, cellOf, parseCell } from './cells';
import { contains, type Rules } from './rules';

export interface PlacedStone {
  cell: string;
  side: Side;
  /** From 1; 0 for stones that were there at the start. */
  turn: number;
}

export interface Position {
  rules: Rules;
  stones: Map<string, PlacedStone>;
  toMove: Side;
  /** Stones left of the turn. */
  left: number;
  /** The number of the turn to be played or under way. */
  turn: number;
  winner: Side | null;
  /** The cells of the winning line. */
  line: string[];
  /** Nobody can place a stone any more. */
  full: boolean;
}

export const other = (side: Side): Side => (side === 'black' ? 'white' : 'black');

const DIRECTIONS: readonly Cell[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
  { x: 1, y: -1 },
];

/** The position at the start: empty, or a set-up such as `B:J10 W:I8,H9 to-move:B`. */
export function startPosition(rules: Rules, start: string): Position {
  const position: Position = {
    rules,
    stones: new Map(),
    toMove: 'black',
    left: rules.firstTurn,
    turn: 1,
    winner: null,
    line: [],
    full: false,
  };
  if (start.trim() === '') return position;
  position.left = rules.perTurn;
  for (const word of start.trim().split(/\s+/)) {
    const at = word.indexOf(':');
    const [key, value] = [word.slice(0, at).toLowerCase(), word.slice(at + 1)];
    if (key === 'b' || key === 'w') {
      const side: Side = key === 'b' ? 'black' : 'white';
      for (const name of value.match(/\(-?\d+,-?\d+\)|[^,]+/g) ?? []) {
        const cell = parseCell(name);
        if (cell) position.stones.set(cellName(cell), { cell: cellName(cell), side, turn: 0 });
      }
    } else if (key === 'to-move') {
      position.toMove = value.toLowerCase().startsWith('b') ? 'black' : 'white';
    } else if (key === 'left') {
      position.left = Number(value);
    }
  }
  return position;
}

function runThrough(position: Position, cell: Cell, side: Side, step: Cell): string[] {
  const at = (distance: number) => cellName({ x: cell.x + step.x * distance, y: cell.y + step.y * distance });
  const ours = (distance: number) => position.stones.get(at(distance))?.side === side;
  let [low, high] = [0, 0];
  while (ours(low - 1)) low -= 1;
  while (ours(high + 1)) high += 1;
  return Array.from({ length: high - low + 1 }, (_, index) => at(low + index));
}

function winningLine(position: Position, cell: Cell, side: Side): string[] {
  const { line, exact } = position.rules;
  for (const step of DIRECTIONS) {
    const run = runThrough(position, cell, side, step);
    if (exact ? run.length === line : run.length >= line) return run;
  }
  return [];
}

export function canPlace(position: Position, name: string): boolean {
  return !position.winner && contains(position.rules, cellOf(name)) && !position.stones.has(name);
}

/** Places a stone of the side to move; the caller has asked `canPlace`. Changes the position. */
export function place(position: Position, name: string): void {
  const side = position.toMove;
  position.stones.set(name, { cell: name, side, turn: position.turn });
  position.line = winningLine(position, cellOf(name), side);
  if (position.line.length > 0) {
    position.winner = side;
    return;
  }
  const { infinite, width, height } = position.rules;
  position.full = !infinite && position.stones.size >= width * height;
  position.left -= 1;
  if (position.left === 0) endTurn(position);
}

/** The turn passes to the other side. */
export function endTurn(position: Position): void {
  position.toMove = other(position.toMove);
  position.left = position.rules.perTurn;
  position.turn += 1;
}

/** The position after these turns; what cannot be placed (a surplus stone after a win) is left out. */
export function replay(rules: Rules, start: string, turns: readonly (readonly string[])[]): Position {
  const position = startPosition(rules, start);
  turns.forEach((turn, index) => {
    const { turn: number } = position;
    for (const cell of turn) if (canPlace(position, cell)) place(position, cell);
    const short = position.turn === number && !position.winner;
    // A pass ends the turn; so does a short turn when stones follow, but not before its own pass.
    const follows = turns[index + 1];
    if (short && (turn.length === 0 || (follows !== undefined && follows.length > 0))) endTurn(position);
  });
  return position;
}
