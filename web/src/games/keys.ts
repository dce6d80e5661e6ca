// Keys of a game that is looked at.

import type { TurnLine } from '../game/line.svelte';
import type { Key } from '../i18n';
import { settings } from '../settings.svelte';
import { takenBy } from '../study/keys';

/** For the bar at the bottom. */
export const GAME_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['←', '→'], text: 'keys.stone' },
  { keys: ['⇧←', '⇧→'], text: 'keys.turn' },
  { keys: ['Home', 'End'], text: 'keys.ends' },
];

const MOVES: Record<string, (line: TurnLine) => void> = {
  ArrowLeft: (line) => line.backStone(),
  ArrowRight: (line) => line.forwardStone(),
  'Shift+ArrowLeft': (line) => line.backTurn(),
  'Shift+ArrowRight': (line) => line.forwardTurn(),
  Home: (line) => line.toStart(),
  End: (line) => line.toEnd(),
};

export function gameKeys(event: KeyboardEvent, line: TurnLine): void {
  if (event.defaultPrevented || takenBy(event.target, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
  const move = MOVES[`${event.shiftKey ? 'Shift+' : ''}${event.key}`];
  if (move) move(line);
  else if (event.key === 'n' && settings.all.letterKeys) settings.flip('numbers');
  else return;
  event.preventDefault();
}
