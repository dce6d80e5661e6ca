// Keys of the page where one plays against a proof of Go-Moku. Text fields and the focused board take theirs first.

import type { Key } from '../i18n';
import { settings } from '../settings.svelte';
import { takenBy } from '../study/keys';
import type { GomokuMatch } from './match.svelte';

/** For the bar at the bottom. */
export const GOMOKU_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['⌫'], text: 'drawn.undo' },
  { keys: ['R'], text: 'drawn.restart' },
];

export function gomokuKeys(event: KeyboardEvent, match: GomokuMatch): void {
  if (event.defaultPrevented || takenBy(event.target, event.key) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === 'Backspace') match.undo();
  else if (settings.all.letterKeys && event.key === 'r') match.restart();
  else return;
  event.preventDefault();
}
