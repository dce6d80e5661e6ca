// Keys of the grid view: rows are walked by their names, and a row that has the focus can be dealt with by a letter.

import type { Key } from '../i18n';
import { settings } from '../settings.svelte';
import { takenBy } from '../study/keys';

/** For the bar at the bottom. */
export const GRID_KEYS: { keys: string[]; text: Key }[] = [
  { keys: ['↑', '↓'], text: 'grid.keys.row' },
  { keys: ['Enter'], text: 'grid.keys.details' },
  { keys: ['+', '−'], text: 'grid.keys.share' },
  { keys: ['D'], text: 'grid.keys.drain' },
];

export interface Actions {
  /** More or less for the search whose row has the focus. */
  share: (client: string, step: 1 | -1) => void;
  drain: (worker: string) => void;
}

/** The names of all rows, workers first. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-worker], [data-client]')];

export function gridKeys(event: KeyboardEvent, actions: Actions): void {
  const { target, key } = event;
  if (event.defaultPrevented || takenBy(target, key) || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (step !== undefined) {
    const all = rows();
    const at = all.indexOf(target as HTMLElement);
    all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
    event.preventDefault();
    return;
  }
  if (!(target instanceof HTMLElement)) return;
  const { worker, client } = target.dataset;
  if (client !== undefined && ['+', '-', '−'].includes(key)) actions.share(client, key === '+' ? 1 : -1);
  else if (worker !== undefined && key.toLowerCase() === 'd' && settings.all.letterKeys) actions.drain(worker);
  else return;
  event.preventDefault();
}
