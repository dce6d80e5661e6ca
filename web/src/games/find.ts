// Where in a game a position is, turned and mirrored ones included.

import type { Side } from '../api/types';
import { type Cell, cellOf } from '../game/cells';
import type { Rules } from '../game/rules';

interface Placed {
  cell: string;
  side: Side;
}

/** The symmetries of the board; an infinite one is looked at as it is. */
function symmetries({ width, height, infinite }: Rules): ((cell: Cell) => Cell)[] {
  const same = (cell: Cell): Cell => cell;
  if (infinite) return [same];
  const across = ({ x, y }: Cell): Cell => ({ x: width - 1 - x, y });
  const up = ({ x, y }: Cell): Cell => ({ x, y: height - 1 - y });
  const flips = [same, across, up, (cell: Cell) => up(across(cell))];
  if (width !== height) return flips;
  return flips.flatMap((flip) => [flip, (cell: Cell) => flip({ x: cell.y, y: cell.x })]);
}

const keyOf = (stones: Iterable<Placed>, turned: (cell: Cell) => Cell): string =>
  Array.from(stones, ({ cell, side }) => {
    const { x, y } = turned(cellOf(cell));
    return `${x},${y},${side}`;
  })
    .sort()
    .join(' ');

/** After how many of the turns the stones on the board are these; nothing if never. */
export function turnWith(rules: Rules, positions: Iterable<Iterable<Placed>>, wanted: readonly Placed[]): number | undefined {
  const keys = new Set(symmetries(rules).map((turned) => keyOf(wanted, turned)));
  let turn = 0;
  for (const stones of positions) {
    if (keys.has(keyOf(stones, (cell) => cell))) return turn;
    turn += 1;
  }
  return undefined;
}
