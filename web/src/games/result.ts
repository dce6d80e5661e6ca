// How games ended, in words, and what to call them.

import type { Game, Side } from '../api/types';
import { positionOf } from '../game/line.svelte';
import { parseRules } from '../game/rules';
import { t } from '../i18n';

/** As the record says (`B+`, `W+R`), or as the stones do: a record without a result may end with a line. */
export function winnerOf({ info, rules, moves }: Game): Side | null {
  if (/^b\+/i.test(info.result)) return 'black';
  if (/^w\+/i.test(info.result)) return 'white';
  return info.result === '' ? positionOf(parseRules(rules), moves).winner : null;
}

export function resultText(game: Game): string {
  const winner = winnerOf(game);
  if (winner) return t('games.won', { side: t(winner) });
  return /^(0|draw|jigo)$/i.test(game.info.result.trim()) ? t('games.drawn') : t('games.unknown');
}

/** The players, or where the record comes from. */
export function titleOf({ id, info }: Game): string {
  const { black, white, source } = info;
  if (black !== '' || white !== '') return t('games.players', { black: black || t('black'), white: white || t('white') });
  return source || t('games.number', { id: String(id) });
}
