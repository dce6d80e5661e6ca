// What a person has chosen, kept in this browser.

import { browserLanguage, type Language } from './language';
import { keep, kept } from './storage';

export type { Language };

export type Theme = 'system' | 'light' | 'dark';
export type Overlay = 'threats' | 'shapes' | 'z1' | 'z2' | 'z3' | 'heat' | 'book' | 'numbers';

interface Stored {
  theme: Theme;
  board: 'wood' | 'paper';
  language: Language | null;
  overlays: Record<Overlay, boolean>;
  /** Single-letter keys can be switched off. */
  letterKeys: boolean;
  drawer: boolean;
  panel: boolean;
  lines: number;
}

const DEFAULTS: Stored = {
  theme: 'system',
  board: 'wood',
  language: null,
  overlays: { threats: true, shapes: false, z1: true, z2: true, z3: true, heat: false, book: false, numbers: true },
  letterKeys: true,
  // Below this width the drawer lies over the board.
  drawer: matchMedia('(min-width: 1001px)').matches,
  panel: true,
  lines: 3,
};

function stored(): Stored {
  const before = kept<Partial<Stored>>('settings') ?? {};
  return { ...DEFAULTS, ...before, overlays: { ...DEFAULTS.overlays, ...before.overlays } };
}

class Settings {
  #all = $state(stored());
  #systemDark = $state(false);

  constructor() {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    this.#systemDark = dark.matches;
    dark.addEventListener('change', (event) => (this.#systemDark = event.matches));
    $effect.root(() => {
      $effect(() => keep('settings', $state.snapshot(this.#all)));
      $effect(() => {
        document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
        document.documentElement.dataset.board = this.#all.board;
        document.documentElement.lang = this.language;
      });
    });
  }

  get all(): Stored {
    return this.#all;
  }

  get dark(): boolean {
    return this.#all.theme === 'system' ? this.#systemDark : this.#all.theme === 'dark';
  }

  get language(): Language {
    return this.#all.language ?? browserLanguage(navigator.languages);
  }

  flipTheme(): void {
    this.#all.theme = this.dark ? 'light' : 'dark';
  }

  flip(overlay: Overlay): void {
    this.#all.overlays[overlay] = !this.#all.overlays[overlay];
  }

  /** All zones on, or all off. */
  flipZones(): void {
    const { overlays } = this.#all;
    const on = !(overlays.z1 || overlays.z2 || overlays.z3);
    Object.assign(overlays, { z1: on, z2: on, z3: on });
  }
}

export const settings = new Settings();
