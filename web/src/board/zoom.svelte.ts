// Which part of the board's picture is seen. Never further out than the whole, never closer than five cells.

import { type Frame, STEP } from './geometry';

const CLOSEST = 5 * STEP;

export class Zoom {
  #x = $state(0);
  #y = $state(0);
  /** 1 is the whole board, 2 half of its width. */
  factor = $state(1);

  viewBox(frame: Frame): string {
    const { width, height } = this.#size(frame);
    return `${this.#x} ${this.#y} ${width} ${height}`;
  }

  get whole(): boolean {
    return this.factor === 1;
  }

  /** Zooms so that this point of the picture stays where it is. */
  by(frame: Frame, ratio: number, at: { x: number; y: number }): void {
    const closest = Math.max(1, frame.width / CLOSEST);
    const factor = Math.min(Math.max(this.factor * ratio, 1), closest);
    const change = this.factor / factor;
    this.#x = at.x - (at.x - this.#x) * change;
    this.#y = at.y - (at.y - this.#y) * change;
    this.factor = factor;
    this.#hold(frame);
  }

  move(frame: Frame, dx: number, dy: number): void {
    this.#x += dx;
    this.#y += dy;
    this.#hold(frame);
  }

  centre(frame: Frame): { x: number; y: number } {
    const { width, height } = this.#size(frame);
    return { x: this.#x + width / 2, y: this.#y + height / 2 };
  }

  reset(): void {
    [this.#x, this.#y, this.factor] = [0, 0, 1];
  }

  /** Brings a point into view, for the cursor. */
  reveal(frame: Frame, { x, y }: { x: number; y: number }): void {
    const { width, height } = this.#size(frame);
    const clear = STEP;
    const shift = (at: number, low: number, size: number) =>
      at - clear < low ? at - clear - low : at + clear > low + size ? at + clear - low - size : 0;
    this.move(frame, shift(x, this.#x, width), shift(y, this.#y, height));
  }

  #size(frame: Frame): { width: number; height: number } {
    return { width: frame.width / this.factor, height: frame.height / this.factor };
  }

  #hold(frame: Frame): void {
    const { width, height } = this.#size(frame);
    this.#x = Math.min(Math.max(this.#x, 0), frame.width - width);
    this.#y = Math.min(Math.max(this.#y, 0), frame.height - height);
  }
}
