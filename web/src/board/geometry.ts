// Where cells are in the board's picture: 36 units a cell, rows upwards.

import { type Cell, cellOf } from '../game/cells';
import type { Rules } from '../game/rules';

export const STEP = 36;
export const STONE = 16.4;

export interface Frame {
  /** The lowest column and row shown, and how many of each. */
  x: number;
  y: number;
  columns: number;
  rows: number;
  margin: number;
  width: number;
  height: number;
}

const COORDINATES = 36;
/** Of an infinite board at least so much is shown, and so much around the stones. */
const LEAST = 19;
const AROUND = 6;

export function frameOf(rules: Rules, stones: Iterable<string>): Frame {
  const [low, high] = rules.infinite ? around(stones) : [{ x: 0, y: 0 }, { x: rules.width - 1, y: rules.height - 1 }];
  const [columns, rows] = [high.x - low.x + 1, high.y - low.y + 1];
  const size = (count: number) => (count - 1) * STEP + 2 * COORDINATES;
  return { ...low, columns, rows, margin: COORDINATES, width: size(columns), height: size(rows) };
}

function around(stones: Iterable<string>): [Cell, Cell] {
  let [low, high]: [Cell, Cell] = [
    { x: 0, y: 0 },
    { x: LEAST - 1, y: LEAST - 1 },
  ];
  for (const name of stones) {
    const { x, y } = cellOf(name);
    low = { x: Math.min(low.x, x - AROUND), y: Math.min(low.y, y - AROUND) };
    high = { x: Math.max(high.x, x + AROUND), y: Math.max(high.y, y + AROUND) };
  }
  return [low, high];
}

export const across = (frame: Frame, x: number): number => frame.margin + (x - frame.x) * STEP;
export const down = (frame: Frame, y: number): number => frame.margin + (frame.rows - 1 - (y - frame.y)) * STEP;

export function point(frame: Frame, name: string): { x: number; y: number } {
  const cell = cellOf(name);
  return { x: across(frame, cell.x), y: down(frame, cell.y) };
}

/** The cell nearest to a point of the picture, if it is on the board. */
export function cellAt(frame: Frame, x: number, y: number): Cell | null {
  const column = Math.round((x - frame.margin) / STEP);
  const row = frame.rows - 1 - Math.round((y - frame.margin) / STEP);
  const inside = column >= 0 && row >= 0 && column < frame.columns && row < frame.rows;
  return inside ? { x: column + frame.x, y: row + frame.y } : null;
}

export function gridPath(frame: Frame): string {
  const [left, right] = [across(frame, frame.x), across(frame, frame.x + frame.columns - 1)];
  const [top, bottom] = [down(frame, frame.y + frame.rows - 1), down(frame, frame.y)];
  let path = '';
  for (let row = 0; row < frame.rows; row += 1) path += `M${left} ${down(frame, frame.y + row)}H${right}`;
  for (let column = 0; column < frame.columns; column += 1) path += `M${across(frame, frame.x + column)} ${bottom}V${top}`;
  return path;
}

/** The points that players find their way by. */
export function starPoints(rules: Rules): Cell[] {
  if (rules.infinite || rules.width < 9 || rules.height < 9) return [];
  const lines = (size: number) => {
    const near = size >= 13 ? 3 : 2;
    return size % 2 === 1 ? [near, (size - 1) / 2, size - 1 - near] : [near, size - 1 - near];
  };
  return lines(rules.width).flatMap((x) => lines(rules.height).map((y) => ({ x, y })));
}

/** Squares around cells, as one path. */
export function squares(frame: Frame, cells: Iterable<string>): string {
  let path = '';
  for (const name of cells) {
    const { x, y } = point(frame, name);
    path += `M${x - STEP / 2} ${y - STEP / 2}h${STEP}v${STEP}h${-STEP}z`;
  }
  return path;
}

/** The outline of a set of cells: every edge that has a cell on one side only. */
export function outline(frame: Frame, cells: ReadonlySet<string>, name: (cell: Cell) => string): string {
  let path = '';
  for (const text of cells) {
    const { x, y } = cellOf(text);
    const [left, top] = [across(frame, x) - STEP / 2, down(frame, y) - STEP / 2];
    const [right, bottom] = [left + STEP, top + STEP];
    if (!cells.has(name({ x, y: y + 1 }))) path += `M${left} ${top}H${right}`;
    if (!cells.has(name({ x, y: y - 1 }))) path += `M${left} ${bottom}H${right}`;
    if (!cells.has(name({ x: x - 1, y }))) path += `M${left} ${top}V${bottom}`;
    if (!cells.has(name({ x: x + 1, y }))) path += `M${right} ${top}V${bottom}`;
  }
  return path;
}
