// Cells and their names: columns A, B, ... (I included), rows from 1 at the bottom; `(-3,12)` where letters end.

export interface Cell {
  x: number;
  y: number;
}

const LETTERS = 26;

export function columnName(x: number): string {
  if (x < LETTERS) return String.fromCharCode(65 + x);
  return columnName(Math.floor(x / LETTERS) - 1) + columnName(x % LETTERS);
}

export function cellName({ x, y }: Cell): string {
  const lettered = x >= 0 && y >= 0 && x < LETTERS + LETTERS * LETTERS;
  return lettered ? columnName(x) + (y + 1) : `(${x + 1},${y + 1})`;
}

export function parseCell(text: string): Cell | null {
  const far = /^\((-?\d{1,4}),(-?\d{1,4})\)$/.exec(text.trim());
  if (far) return { x: Number(far[1]) - 1, y: Number(far[2]) - 1 };
  const near = /^([a-z]{1,2})([1-9]\d{0,3})$/i.exec(text.trim());
  if (!near) return null;
  let column = 0;
  for (const letter of near[1]!.toUpperCase()) column = column * LETTERS + letter.charCodeAt(0) - 64;
  return { x: column - 1, y: Number(near[2]) - 1 };
}

/** For cells that we or the server wrote. */
export function cellOf(name: string): Cell {
  const cell = parseCell(name);
  if (!cell) throw new Error(`not a cell: ${name}`);
  return cell;
}

/** The cells of a text, whatever stands between them; null if something else is there. */
export function parseCells(text: string): string[] | null {
  const words = text.match(/\(-?\d+,-?\d+\)|[^\s,;·()]+/g) ?? [];
  const cells: string[] = [];
  for (const word of words) {
    for (const part of word.match(/[a-z]{1,2}\d+|.+/gi) ?? []) {
      const cell = parseCell(part);
      if (!cell) return null;
      cells.push(cellName(cell));
    }
  }
  return cells;
}

export function sameTurn(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((cell) => b.includes(cell));
}
