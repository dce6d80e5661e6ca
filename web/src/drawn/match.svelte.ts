// A game as Black against a strategy that draws. The server answers for White; nothing is kept there.

import { api } from '../api/client';
import type { DrawnGame } from '../api/types';
import { cellName, cellOf } from '../game/cells';
import type { PlacedStone } from '../game/position';
import { parseRules, type Rules } from '../game/rules';

interface Exchange {
  black: string[];
  white: string[];
  tiles: string[][];
  lines: string[][];
}

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]] as const;

export class DrawnMatch {
  games = $state.raw<DrawnGame[]>([]);
  index = $state(0);
  turns = $state.raw<Exchange[]>([]);
  /** Black's stones of the turn under way. */
  half = $state.raw<string[]>([]);
  busy = $state(false);
  problem = $state('');

  constructor() {
    void this.#try(async () => {
      this.games = await api.drawnGames();
      // Connect6's number of stones, if it is there.
      this.index = Math.max(0, this.games.findIndex((game) => game.per_turn === 2));
    });
  }

  get game(): DrawnGame | null {
    return this.games[this.index] ?? null;
  }

  get rules(): Rules {
    const { line, per_turn } = this.game!;
    return parseRules(`inf,inf,${line},${per_turn},${per_turn}`);
  }

  get stones(): PlacedStone[] {
    const stones: PlacedStone[] = [];
    this.turns.forEach(({ black, white }, index) => {
      for (const cell of black) stones.push({ cell, side: 'black', turn: 2 * index + 1 });
      for (const cell of white) stones.push({ cell, side: 'white', turn: 2 * index + 2 });
    });
    for (const cell of this.half) stones.push({ cell, side: 'black', turn: 2 * this.turns.length + 1 });
    return stones;
  }

  get empty(): boolean {
    return this.turns.length === 0 && this.half.length === 0;
  }

  get answer(): string[] {
    return this.turns.at(-1)?.white ?? [];
  }

  get tiles(): string[][] {
    return [(this.turns.at(-1)?.tiles ?? []).flat()];
  }

  get lines(): string[][] {
    return this.turns.at(-1)?.lines ?? [];
  }

  /** Black's most stones in a row. */
  get longest(): number {
    const black = new Set([...this.turns.flatMap((turn) => turn.black), ...this.half]);
    let most = 0;
    for (const name of black) {
      const { x, y } = cellOf(name);
      for (const [dx, dy] of DIRECTIONS) {
        let count = 1;
        while (black.has(cellName({ x: x + count * dx, y: y + count * dy }))) count += 1;
        most = Math.max(most, count);
      }
    }
    return most;
  }

  choose(index: number): void {
    this.index = index;
    this.restart();
  }

  restart(): void {
    [this.turns, this.half, this.problem] = [[], [], ''];
  }

  /** A stone of the turn; the last one ends it. On a stone of the turn, it is taken up again. */
  place(cell: string): void {
    if (this.busy || !this.game) return;
    if (this.half.includes(cell)) {
      this.half = this.half.filter((other) => other !== cell);
      return;
    }
    this.half = [...this.half, cell];
    if (this.half.length === this.game.per_turn) void this.play();
  }

  undo(): void {
    if (this.busy) return;
    if (this.half.length > 0) this.half = this.half.slice(0, -1);
    else this.turns = this.turns.slice(0, -1);
  }

  /** Ends Black's turn. */
  async play(): Promise<void> {
    const { game, half: turn } = this;
    if (!game || this.busy || turn.length === 0) return;
    await this.#try(async () => {
      const { line, per_turn } = game;
      const black = this.turns.flatMap((one) => one.black);
      const white = this.turns.flatMap((one) => one.white);
      const { answer, tiles, lines } = await api.drawnAnswer({ line, per_turn, black, white, turn });
      this.turns = [...this.turns, { black: turn, white: answer, tiles, lines }];
      this.half = [];
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    [this.busy, this.problem] = [true, ''];
    try {
      await work();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
  }
}
