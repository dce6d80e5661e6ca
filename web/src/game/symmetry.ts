// Turning and mirroring the board.

import type { Side } from '../api/types';
import { type Cell, cellName, cellOf } from './cells';
import type { Rules } from './rules';

export interface Placed {
  cell: string;
  side: Side;
}

export type Symmetry = (cell: Cell) => Cell;

/** The symmetries of the board, the one that changes nothing first; an infinite board is looked at as it is. */
export function symmetries({ width, height, infinite }: Rules): Symmetry[] {
  const same: Symmetry = (cell) => cell;
  if (infinite) return [same];
  const across: Symmetry = ({ x, y }) => ({ x: width - 1 - x, y });
  const up: Symmetry = ({ x, y }) => ({ x, y: height - 1 - y });
  const flips: Symmetry[] = [same, across, up, (cell) => up(across(cell))];
  if (width !== height) return flips;
  return [...flips, ...flips.map((flip): Symmetry => ({ x, y }) => flip({ x: y, y: x }))];
}

export function turnedBy(symmetry: Symmetry, cells: readonly string[]): string[] {
  return cells.map((cell) => cellName(symmetry(cellOf(cell))));
}

const keyOf = (stones: readonly Placed[], symmetry: Symmetry): string =>
  stones
    .map(({ cell, side }) => `${cellName(symmetry(cellOf(cell)))} ${side}`)
    .sort()
    .join();

/** Those that leave the stones where they are. */
export function symmetriesOf(rules: Rules, stones: readonly Placed[]): Symmetry[] {
  const all = symmetries(rules);
  const key = keyOf(stones, all[0]!);
  return all.filter((symmetry) => keyOf(stones, symmetry) === key);
}

/** The first of the positions that has these stones, turned or mirrored; nothing if none has. */
export function findTurned(rules: Rules, positions: readonly (readonly Placed[])[], wanted: readonly Placed[]): number | undefined {
  const all = symmetries(rules);
  const keys = new Set(all.map((symmetry) => keyOf(wanted, symmetry)));
  const found = positions.findIndex((stones) => keys.has(keyOf(stones, all[0]!)));
  return found < 0 ? undefined : found;
}
