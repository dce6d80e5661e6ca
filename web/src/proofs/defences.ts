// Replies of a proof, and how many replies its zones leave to be answered.

import type { Defence } from '../api/types';
import type { Tag } from '../board/marks';

export const LETTERS = 'ABCDEFGH';
/** Tags that are filled; the others are outlined. */
const MEANT = 3;

/** Whether a defence stands for turns with these stones. */
export function matches(defence: Defence, half: readonly string[], turnSize: number): boolean {
  const { stones } = defence;
  const unknown = half.filter((cell) => !stones.includes(cell)).length;
  return unknown === 0 || stones.length + unknown <= turnSize;
}

/** A whole turn of this defence with the stones that are placed already. */
export function wholeTurn(defence: Defence, half: readonly string[], turnSize: number): string[] {
  const cells = new Set([...half, ...defence.stones.slice(0, turnSize), ...defence.example]);
  return [...cells].slice(0, turnSize);
}

/** Letters where the stones of the first defences would be; a cell has one letter. */
export function tagsOf(defences: readonly Defence[], half: readonly string[], turnSize: number): Tag[] {
  const tags = new Map<string, Tag>();
  [...LETTERS].forEach((text, index) => {
    const defence = defences[index];
    if (!defence) return;
    for (const cell of wholeTurn(defence, half, turnSize)) {
      if (defence.stones.includes(cell) && !half.includes(cell) && !tags.has(cell)) tags.set(cell, { cell, text, outlined: index >= MEANT });
    }
  });
  return [...tags.values()];
}

function choose(from: number, count: number): number {
  if (count < 0 || count > from) return 0;
  let ways = 1;
  for (let index = 1; index <= count; index += 1) ways = (ways * (from - count + index)) / index;
  return Math.round(ways);
}

export interface Count {
  replies: number;
  /** Those that the zones do not dismiss. */
  relevant: number;
}

/**
 * Replies with the stones placed so far. The zones dismiss a turn that has fewer than i stones in each Z_i. Nothing
 * where there are no zones, or fewer than a turn has stones.
 */
export function countReplies(zones: readonly string[][], free: (cell: string) => boolean, cells: number, half: readonly string[], turnSize: number): Count | null {
  if (turnSize > zones.length || zones.length > 3 || !zones[0]) return null;
  const rank = (cell: string) => zones.findIndex((zone) => zone.includes(cell));
  const seen = new Set(zones.flat().filter(free));
  const rings = zones.map(() => 0);
  for (const cell of seen) rings[rank(cell)]! += 1;
  const outside = cells - seen.size;
  const placed = zones.map((_, index) => half.filter((cell) => rank(cell) === index).length);
  const left = turnSize - half.length;
  const dismissed = countDismissed([...rings], outside, placed, left, 0, 0);
  const replies = choose(cells, left);
  return { replies, relevant: replies - dismissed };
}

/** Ways to take `left` stones so that Z_1 to Z_i have fewer than i, for every i. */
function countDismissed(rings: number[], outside: number, placed: number[], left: number, ring: number, inside: number): number {
  if (ring === rings.length) return choose(outside, left);
  let ways = 0;
  for (let taken = 0; taken <= left; taken += 1) {
    const now = inside + placed[ring]! + taken;
    if (now >= ring + 1) break;
    ways += choose(rings[ring]!, taken) * countDismissed(rings, outside, placed, left - taken, ring + 1, now);
  }
  return ways;
}
