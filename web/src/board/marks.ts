// What can be drawn on a board besides stones.

import type { Facts, Side } from '../api/types';
import type { Glyph } from '../game/opinion';

/** A letter on a cell: an engine's candidate, a defence. */
export interface Tag {
  cell: string;
  text: string;
  /** An outlined tag is one among many; a filled one is meant. */
  outlined?: boolean;
}

/** A line of a side: a threat, or a shape on its way to one. */
export interface LineMark {
  from: string;
  to: string;
  side: Side;
  strength: 'threat' | 'live' | 'dead';
  /** Where a stone completes it. */
  open: string[];
}

export interface Ghost {
  cell: string;
  side: Side;
}

export interface KnownCell {
  cell: string;
  glyph: Glyph;
}

/** The lines of a position: threats always drawn first, shapes only on request. */
export function linesOf(facts: Facts, threats: boolean, shapes: boolean): LineMark[] {
  const lines: LineMark[] = [];
  for (const side of ['black', 'white'] as const) {
    const { windows, shapes: found } = facts[side];
    if (shapes) {
      for (const shape of found) {
        lines.push({ from: shape.cells[0]!, to: shape.cells.at(-1)!, side, strength: shape.kind, open: [] });
      }
    }
    if (threats) {
      for (const window of windows) {
        lines.push({ from: window.cells[0]!, to: window.cells.at(-1)!, side, strength: 'threat', open: window.empty });
      }
    }
  }
  return lines;
}
