// What lines of an analysis say of the position they start from. Nothing is called proved that the server has not.

import type { Line, Opinion, Side } from '../api/types';

/** A line's opinion is about the position after its turn; counted from the position before it the winner's own turn is one more. */
export function countedFromHere(opinion: Opinion, mover: Side): Opinion {
  if (opinion.turns === null || opinion.side !== mover) return opinion;
  return { ...opinion, turns: opinion.turns + 1 };
}

/**
 * The opinion of a position whose turns were ranked. One proved win is enough; a loss is proved only if all turns are
 * proved to lose, listed or not.
 */
export function ofPosition(lines: readonly Line[], mover: Side, everyOtherLoses: boolean): Opinion | null {
  const best = lines[0]?.opinion;
  if (!best) return null;
  if (best.certainty !== 'proved' || best.side === mover) return countedFromHere(best, mover);
  const allLose = everyOtherLoses && lines.every(({ opinion }) => opinion.certainty === 'proved' && opinion.side !== mover);
  if (allLose) return { ...best, turns: longest(lines), proof: shared(lines) };
  return { ...best, certainty: 'likely', black: best.black > 0.5 ? 0.98 : 0.02, turns: null, proof: null };
}

function longest(lines: readonly Line[]): number | null {
  const turns = lines.map(({ opinion }) => opinion.turns);
  return turns.includes(null) ? null : Math.max(...(turns as number[]));
}

/** Several turns that one proof refutes: it is about the position before them. */
function shared(lines: readonly Line[]): number | null {
  const proofs = new Set(lines.map(({ opinion }) => opinion.proof));
  return lines.length > 1 && proofs.size === 1 ? (lines[0]?.opinion.proof ?? null) : null;
}

const RANKS: Record<Opinion['certainty'], number> = { open: 1, even: 2, likely: 2, proved: 3 };

/** A smaller change of the share is not worth an edit of the study. */
const WORTH_WRITING = 0.05;

/** Whether an opinion should take the place of what is written on a node. What is written as proved names its proof. */
export function isBetterFounded(opinion: Opinion, written: Opinion | null): boolean {
  if (opinion.certainty === 'proved' && opinion.proof === null) return false;
  if (!written) return true;
  const [now, before] = [RANKS[opinion.certainty], RANKS[written.certainty]];
  if (now !== before) return now > before;
  if (opinion.certainty === 'proved') return written.proof === null;
  return opinion.side !== written.side || Math.abs(opinion.black - written.black) >= WORTH_WRITING;
}
