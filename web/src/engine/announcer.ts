// Says verdicts to screen readers: only changes, and no more than one in five seconds.

import { workbench } from '../workbench.svelte';

const PAUSE = 5_000;

export class Announcer {
  #said = '';
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    clearTimeout(this.#timer);
    if (text === this.#said) return;
    const wait = Math.max(0, this.#last + PAUSE - Date.now());
    this.#timer = setTimeout(() => {
      this.#said = text;
      this.#last = Date.now();
      workbench.announcement = text;
    }, wait);
  }

  hush(): void {
    clearTimeout(this.#timer);
  }
}
