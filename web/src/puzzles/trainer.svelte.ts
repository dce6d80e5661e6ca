// One puzzle on the board: the solver's turns, the most stubborn answers, hints, and the refutation of a mistake.

import { api } from '../api/client';
import type { Judged, PuzzleDetail, PuzzleSummary, Side } from '../api/types';
import { other, type Position, replay } from '../game/position';
import { parseRules } from '../game/rules';
import { type Key, t } from '../i18n';
import type { SolverRecord } from './record.svelte';

export type Theme = 'all' | 'double-threat' | 'single-threat' | 'quiet' | 'counter-threat' | 'under-threat' | 'long' | 'defence';

export const THEMES: { theme: Theme; text: Key }[] = [
  { theme: 'all', text: 'puzzles.theme.all' },
  { theme: 'double-threat', text: 'puzzles.theme.double' },
  { theme: 'single-threat', text: 'puzzles.theme.single' },
  { theme: 'quiet', text: 'puzzles.theme.quiet' },
  { theme: 'counter-threat', text: 'puzzles.theme.counter' },
  { theme: 'under-threat', text: 'puzzles.theme.under' },
  { theme: 'long', text: 'puzzles.theme.long' },
  { theme: 'defence', text: 'puzzles.theme.defence' },
];

type State = 'solving' | 'waiting' | 'solved' | 'failed' | 'shown';

/** The puzzle of a day: the same for everybody who has the same collection. */
export function dailyOf(puzzles: readonly PuzzleSummary[], day: string): PuzzleSummary | undefined {
  let hash = 2_166_136_261;
  for (const letter of day) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return puzzles[hash % Math.max(1, puzzles.length)];
}

/** A position as the server reads it. */
export function setupOf(position: Position): string {
  const of = (side: Side): string => [...position.stones.values()].filter((stone) => stone.side === side).map(({ cell }) => cell).join(',');
  return `B:${of('black')} W:${of('white')} to-move:${position.toMove === 'black' ? 'B' : 'W'}`;
}

function firstHint({ kind, order, themes }: PuzzleSummary): Key {
  if (kind === 'defence') return 'puzzles.hint.defence';
  if (themes.includes('quiet')) return 'puzzles.hint.quiet';
  return order > 1 ? 'puzzles.hint.threats' : 'puzzles.hint.turns';
}

export class Trainer {
  turns = $state<string[][]>([]);
  half = $state<string[]>([]);
  state = $state<State>('solving');
  hints = $state(0);
  message = $state('');
  readonly rules;

  constructor(
    readonly puzzle: PuzzleDetail,
    readonly record: SolverRecord,
  ) {
    this.rules = parseRules(puzzle.rules);
  }

  position: Position = $derived.by(() => replay(this.rules, this.puzzle.position, [...this.turns, ...(this.half.length > 0 ? [this.half] : [])]));

  get solver(): Side {
    return replay(this.rules, this.puzzle.position, []).toMove;
  }
  get locked(): boolean {
    return this.state !== 'solving';
  }
  get last(): string[] {
    return this.turns.at(-1) ?? [];
  }
  /** What hints show on the board: one stone of the solution, then all. */
  get hinted(): string[] {
    if (this.turns.length > 0 || this.hints < 2) return [];
    return this.hints === 2 ? this.puzzle.solution.slice(0, 1) : this.puzzle.solution;
  }

  place(cell: string): void {
    if (this.locked) return;
    if (this.half.includes(cell)) {
      this.half = this.half.filter((one) => one !== cell);
    } else if (!this.position.stones.has(cell)) {
      this.half = [...this.half, cell];
      if (this.half.length >= this.rules.perTurn || this.position.winner) void this.submit();
    }
  }

  lift(): void {
    if (!this.locked) this.half = this.half.slice(0, -1);
  }

  async submit(): Promise<void> {
    const turn = this.half;
    const before = replay(this.rules, this.puzzle.position, this.turns);
    this.state = 'waiting';
    try {
      const { kind, order } = this.puzzle.summary;
      const judged = await api.judge({ rules: this.puzzle.rules, position: setupOf(before), kind, order, turn });
      this.turns = [...this.turns, turn];
      this.half = [];
      this.#hear(judged);
    } catch (error) {
      this.half = [];
      this.state = 'solving';
      this.message = error instanceof Error ? error.message : String(error);
    }
  }

  #hear({ worth, reply, within }: Judged): void {
    if (reply.length > 0) this.turns = [...this.turns, reply];
    if (worth === 'decides' || worth === 'holds') {
      this.#end(true, worth === 'holds' ? t('puzzles.holds') : t('puzzles.decides'));
    } else if (worth === 'wins') {
      this.state = 'solving';
      this.message = t('puzzles.goOn', { reply: reply.join(' '), n: (within ?? 2) - 1 });
    } else if (worth === 'unknown') {
      this.state = 'solving';
      this.turns = this.turns.slice(0, -1);
      this.message = t('puzzles.unknown');
    } else {
      const single = this.puzzle.summary.order === 2;
      const keys: Partial<Record<typeof worth, Key>> = {
        'not-forcing': single ? 'puzzles.noThreat' : 'puzzles.notForcing',
        'loses-at-once': 'puzzles.losesAtOnce',
        refuted: this.puzzle.summary.kind === 'defence' ? 'puzzles.defenceFails' : single ? 'puzzles.refutedThreats' : 'puzzles.refuted',
      };
      this.#end(false, t(keys[worth] ?? 'puzzles.unknown', { reply: reply.join(' ') }));
    }
  }

  #end(solved: boolean, message: string): void {
    this.state = solved ? 'solved' : 'failed';
    this.message = message;
    this.record.note(this.puzzle.summary, solved && this.hints < 2);
  }

  hint(): void {
    if (this.locked || this.hints >= 3) return;
    this.hints += 1;
    const { solution, summary } = this.puzzle;
    if (this.hints === 1) this.message = t(firstHint(summary), { n: summary.turns });
    else if (this.hints === 2) this.message = t('puzzles.hint.stone', { cell: solution[0] ?? '' });
    else this.message = t('puzzles.hint.turn', { turn: solution.join(' ') });
  }

  again(): void {
    this.turns = [];
    this.half = [];
    this.state = 'solving';
    this.message = '';
  }

  /** The solution against the most stubborn replies. */
  show(): void {
    if (this.state === 'solving') this.record.note(this.puzzle.summary, false);
    this.half = [];
    this.turns = this.puzzle.main_line;
    this.state = 'shown';
    const [first, ...tries] = [this.puzzle.solution, ...this.puzzle.tries.map(({ turn, reply }) => t('puzzles.tryFails', { turn: turn.join(' '), reply: reply.join(' ') }))];
    this.message = [t('puzzles.solutionIs', { turn: (first as string[]).join(' ') }), ...tries].join(' ');
  }

  get opponent(): Side {
    return other(this.solver);
  }
}
