// Keys of the trainer. Text fields and the focused board take theirs first.

import { type Key } from '../i18n';
import { settings } from '../settings.svelte';
import { takenBy } from '../study/keys';
import type { Trainer } from './trainer.svelte';

/** For the bar at the bottom. */
export const PUZZLE_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['H'], text: 'puzzles.hint' },
  { keys: ['S'], text: 'puzzles.show' },
  { keys: ['R'], text: 'puzzles.again' },
  { keys: ['N'], text: 'puzzles.next' },
  { keys: ['⌫'], text: 'keys.undoStone' },
];

export function puzzleKeys(event: KeyboardEvent, trainer: Trainer, next: () => void): void {
  if (event.defaultPrevented || takenBy(event.target, event.key) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const letters: Record<string, () => void> = { h: () => trainer.hint(), s: () => trainer.show(), r: () => trainer.again(), n: next };
  if (event.key === 'Backspace') trainer.lift();
  else if (settings.all.letterKeys && letters[event.key]) letters[event.key]!();
  else return;
  event.preventDefault();
}
