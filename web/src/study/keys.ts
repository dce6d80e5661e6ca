// Keys of the study view. Text fields and the focused board take theirs first.

import { settings } from '../settings.svelte';
import { workbench } from '../workbench.svelte';
import type { OpenStudy } from './study.svelte';

type Action = (study: OpenStudy) => void;

const MOVES: Record<string, Action> = {
  ArrowLeft: (study) => study.backStone(),
  ArrowRight: (study) => study.forwardStone(),
  'Shift+ArrowLeft': (study) => study.backTurn(),
  'Shift+ArrowRight': (study) => study.forwardTurn(),
  ArrowUp: (study) => study.toSibling(-1),
  ArrowDown: (study) => study.toSibling(1),
  Home: (study) => study.toStart(),
  End: (study) => study.toEnd(),
  ' ': () => (workbench.engineOn = !workbench.engineOn),
  'Ctrl+z': (study) => void study.undo(),
  'Ctrl+y': (study) => void study.redo(),
  'Ctrl+Shift+Z': (study) => void study.redo(),
};

const LETTERS: Record<string, Action> = {
  t: () => settings.flip('threats'),
  z: () => settings.flipZones(),
  n: () => settings.flip('numbers'),
  '[': () => (settings.all.drawer = !settings.all.drawer),
  ']': () => (settings.all.panel = !settings.all.panel),
  p: () => workbench.ask('prove'),
  c: () => workbench.ask('challenge'),
};

/** Buttons are pressed with Space and Enter, lists are walked with arrows: those stay theirs. */
export function takenBy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input, textarea, select, [contenteditable]') || target.closest('dialog')) return true;
  // A tab is chosen by going to it, so Space is free there.
  return (key === ' ' || key === 'Enter') && target.matches('button:not([role="tab"]), a, summary');
}

export function studyKeys(event: KeyboardEvent, study: OpenStudy, undo: () => void): void {
  if (event.defaultPrevented || takenBy(event.target, event.key) || event.altKey) return;
  const control = event.ctrlKey || event.metaKey;
  const name = `${control ? 'Ctrl+' : ''}${event.shiftKey && event.key.length > 1 ? 'Shift+' : ''}${control && event.shiftKey ? 'Shift+' : ''}${event.key}`;
  const letter = settings.all.letterKeys && !control ? LETTERS[event.key] : undefined;
  const action = name === 'Backspace' ? undo : (MOVES[name] ?? letter);
  if (!action) return;
  event.preventDefault();
  action(study);
}
