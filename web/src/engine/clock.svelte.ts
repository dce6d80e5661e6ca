// Two clocks of a game, of which at most one runs. Time goes by only while the page is open.

import type { Side } from '../api/types';

const TICK = 200;

export type Times = Record<Side, number>;

export class GameClock {
  /** Milliseconds left. */
  left = $state<Times>({ black: 0, white: 0 });
  #timer: ReturnType<typeof setInterval> | undefined;
  #onsecond: () => void;
  #onfall: (side: Side) => void;

  constructor(onsecond: () => void, onfall: (side: Side) => void) {
    [this.#onsecond, this.#onfall] = [onsecond, onfall];
  }

  run(side: Side): void {
    this.stop();
    let before = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#take(side, now - before);
      before = now;
    }, TICK);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  add(side: Side, seconds: number): void {
    this.left = { ...this.left, [side]: this.left[side] + seconds * 1_000 };
  }

  #take(side: Side, milliseconds: number): void {
    const before = this.left[side];
    const after = Math.max(0, before - milliseconds);
    this.left = { ...this.left, [side]: after };
    if (Math.floor(after / 1_000) !== Math.floor(before / 1_000)) this.#onsecond();
    if (after === 0) {
      this.stop();
      this.#onfall(side);
    }
  }
}

/** "4:05", and "0:07.3" when it becomes short. */
export function timeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const short = milliseconds < 20_000 ? `.${Math.floor((milliseconds % 1_000) / 100)}` : '';
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}${short}`;
}
