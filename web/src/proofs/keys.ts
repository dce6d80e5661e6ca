// Keys of the proofs view. Text fields and the focused board take theirs first.

import { type Key } from '../i18n';
import { settings } from '../settings.svelte';
import { takenBy } from '../study/keys';
import type { ChallengeGame } from './challenge.svelte';
import { LETTERS } from './defences';

/** For the bar at the bottom. */
export const PROOF_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['⇧A–H'], text: 'proofs.keys.defence' },
  { keys: ['H'], text: 'proofs.keys.hardest' },
  { keys: ['⌫'], text: 'keys.undoStone' },
  { keys: ['Z'], text: 'keys.zones' },
  { keys: ['R'], text: 'proofs.keys.recheck' },
  { keys: ['Esc'], text: 'proofs.keys.leave' },
];

const MOVES: Record<string, (game: ChallengeGame) => void> = {
  ArrowLeft: (game) => game.backStone(),
  ArrowRight: (game) => game.forwardStone(),
  'Shift+ArrowLeft': (game) => game.backTurn(),
  'Shift+ArrowRight': (game) => game.forwardTurn(),
  Home: (game) => game.toStart(),
  End: (game) => game.toEnd(),
  Backspace: (game) => game.lift(),
  Escape: (game) => game.toStart(),
};

const SINGLE: Record<string, (game: ChallengeGame, recheck: () => void) => void> = {
  h: (game) => game.hardest(),
  z: () => settings.flipZones(),
  t: () => settings.flip('threats'),
  n: () => settings.flip('numbers'),
  r: (_, recheck) => recheck(),
};

export function proofKeys(event: KeyboardEvent, game: ChallengeGame, recheck: () => void): void {
  if (event.defaultPrevented || takenBy(event.target, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
  const move = MOVES[`${event.shiftKey ? 'Shift+' : ''}${event.key}`];
  const letters = settings.all.letterKeys;
  const index = event.shiftKey ? LETTERS.indexOf(event.key) : -1;
  if (move) move(game);
  else if (letters && event.key.length === 1 && index >= 0) game.defend(game.defences[index]);
  else if (letters && !event.shiftKey && SINGLE[event.key]) SINGLE[event.key]!(game, recheck);
  else return;
  event.preventDefault();
}
