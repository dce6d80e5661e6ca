// The lines of a position as rows of a table.

import type { Facts, Side } from '../api/types';
import { t } from '../i18n';
import { shapeText } from './wording';

export interface ThreatRow {
  side: Side;
  from: string;
  to: string;
  text: string;
  stones: number;
  /** One turn completes it. */
  urgent: boolean;
}

export function threatsOf(facts: Facts): ThreatRow[] {
  const rows = (['black', 'white'] as const).flatMap((side) => rowsOf(facts, side));
  return rows.sort((a, b) => Number(b.urgent) - Number(a.urgent) || b.stones - a.stones);
}

/** Shapes, and the threats that no shape tells of. */
function rowsOf(facts: Facts, side: Side): ThreatRow[] {
  const { shapes, windows } = facts[side];
  const within = (cells: string[], all: string[]) => cells.every((cell) => all.includes(cell));
  const named = shapes.map((shape): ThreatRow => {
    const urgent = windows.some((window) => within(window.cells, shape.cells));
    const text = shapeText(shape);
    return { side, ...ends(shape.cells), text: urgent ? t('threats.now', { shape: text }) : text, stones: shape.stones, urgent };
  });
  const unnamed = windows
    .filter((window) => !shapes.some((shape) => within(window.cells, shape.cells)))
    .map((window): ThreatRow => {
      const stones = window.cells.length - window.empty.length;
      return { side, ...ends(window.cells), text: t('threats.window', { stones: window.empty.join(' ') }), stones, urgent: true };
    });
  return [...unnamed, ...named];
}

const ends = (cells: string[]): { from: string; to: string } => ({ from: cells[0] ?? '', to: cells.at(-1) ?? '' });
