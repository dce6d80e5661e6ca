// Keys of the page where one plays against a draw, for the bar at the bottom.

import type { Key } from '../i18n';

export const DRAWN_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['↵'], text: 'drawn.play' },
  { keys: ['⌫'], text: 'drawn.undo' },
];
