// Keys of the openings view. Text fields and the focused board take theirs first.

import type { Key } from '../i18n';
import { settings } from '../settings.svelte';
import { takenBy } from '../study/keys';
import type { Explorer } from './explorer.svelte';

/** For the bar at the bottom. */
export const OPENING_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['←'], text: 'openings.keys.back' },
  { keys: ['↑', '↓'], text: 'openings.keys.reply' },
  { keys: ['→', 'Enter'], text: 'openings.keys.open' },
  { keys: ['⌫'], text: 'keys.undoStone' },
  { keys: ['O'], text: 'openings.keys.study' },
];

export interface Actions {
  move: (step: 1 | -1) => void;
  study: () => void;
}

export function openingKeys(event: KeyboardEvent, explorer: Explorer, actions: Actions): void {
  if (event.defaultPrevented || takenBy(event.target, event.key) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { line } = explorer;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => line.backTurn(),
    ArrowRight: () => explorer.play(explorer.replies[explorer.selected]),
    Enter: () => explorer.play(explorer.replies[explorer.selected]),
    ArrowUp: () => actions.move(-1),
    ArrowDown: () => actions.move(1),
    Home: () => line.toStart(),
    Backspace: () => line.backStone(),
    ...(settings.all.letterKeys ? { o: actions.study } : {}),
  };
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
