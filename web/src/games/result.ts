// Results of games in words: `B+`, `W+R`, `0`.

import type { Side } from '../api/types';
import { t } from '../i18n';

export function winnerOf(result: string): Side | null {
  return /^b\+/i.test(result) ? 'black' : /^w\+/i.test(result) ? 'white' : null;
}

export function resultText(result: string): string {
  const winner = winnerOf(result);
  if (winner) return t('games.won', { side: t(winner) });
  return /^(0|draw|jigo)$/i.test(result.trim()) ? t('games.drawn') : '–';
}
