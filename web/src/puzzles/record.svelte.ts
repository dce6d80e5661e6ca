// What this browser remembers of a solver: strength, streak, what is done, and what attempts say about the puzzles.

import type { PuzzleSummary } from '../api/types';
import { keep, kept } from '../storage';
import { afterAttempt, NEW_SOLVER, type Strength } from './glicko';

interface Stored {
  solver: Strength;
  streak: number;
  best: number;
  /** Solved at the first attempt, or not. */
  done: Record<string, boolean>;
  /** The puzzles' strengths after this person's attempts. */
  puzzles: Record<string, Strength>;
}

const EMPTY: Stored = { solver: NEW_SOLVER, streak: 0, best: 0, done: {}, puzzles: {} };

/** A puzzle's machine rating is a guess about people. */
const PUZZLE_DEVIATION = 150;

export class SolverRecord {
  #all = $state<Stored>({ ...EMPTY, ...kept<Partial<Stored>>('puzzles') });

  get rating(): number {
    return Math.round(this.#all.solver.rating);
  }
  get deviation(): number {
    return Math.round(this.#all.solver.deviation);
  }
  get streak(): number {
    return this.#all.streak;
  }
  get best(): number {
    return this.#all.best;
  }
  get solved(): number {
    return Object.values(this.#all.done).filter(Boolean).length;
  }

  result(id: string): boolean | undefined {
    return this.#all.done[id];
  }

  /** The first attempt at a puzzle counts, later ones do not. */
  note({ id, rating }: PuzzleSummary, solved: boolean): void {
    if (id in this.#all.done) return;
    const puzzle = this.#all.puzzles[id] ?? { rating, deviation: PUZZLE_DEVIATION, volatility: 0.06 };
    const { solver } = this.#all;
    this.#all.solver = afterAttempt(solver, puzzle, solved ? 1 : 0);
    this.#all.puzzles[id] = afterAttempt(puzzle, solver, solved ? 0 : 1);
    this.#all.streak = solved ? this.#all.streak + 1 : 0;
    this.#all.best = Math.max(this.#all.best, this.#all.streak);
    this.#all.done[id] = solved;
    keep('puzzles', $state.snapshot(this.#all));
  }
}
