// What is known or believed of a position, as glyphs and words.

import type { Opinion } from '../api/types';
import { t } from '../i18n';

/** Six kinds: side by shape, certainty by fill. */
export type Glyph = 'black-proved' | 'black-likely' | 'even' | 'white-likely' | 'white-proved' | 'open';

export const GLYPHS: readonly Glyph[] = ['black-proved', 'black-likely', 'even', 'white-likely', 'white-proved', 'open'];

export function glyphOf(opinion: Opinion | null | undefined): Glyph {
  if (!opinion || opinion.certainty === 'open') return 'open';
  if (opinion.certainty === 'even' || !opinion.side) return 'even';
  return `${opinion.side}-${opinion.certainty}`;
}

/** The winner's share in percent, for likely wins. */
export function percent(opinion: Opinion): number {
  return Math.round(100 * (opinion.side === 'white' ? 1 - opinion.black : opinion.black));
}

/** "Black wins in 9 turns", "White likely 58 %", "Even", "Open". */
export function opinionText(opinion: Opinion | null | undefined): string {
  if (!opinion || opinion.certainty === 'open') return t('verdict.open');
  if (opinion.certainty === 'even' || !opinion.side) return t('verdict.even');
  const side = t(opinion.side);
  if (opinion.certainty === 'likely') return t('verdict.likely', { side, percent: percent(opinion) });
  return opinion.turns ? t('verdict.winsIn', { side, n: opinion.turns }) : t('verdict.wins', { side });
}

/** The same where there is little room: "in 9", "58", "=", "". */
export function opinionShort(opinion: Opinion): string {
  if (opinion.certainty === 'proved') return opinion.turns ? t('verdict.in', { n: opinion.turns }) : t('verdict.wins', { side: t(opinion.side ?? 'black') });
  return opinion.certainty === 'likely' ? `${percent(opinion)}` : '';
}
