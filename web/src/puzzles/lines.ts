// A collection as JSON lines (`tengen puzzle export --to jsonl`), read from a file of this machine: it stays in the page.

import type { PuzzleDetail, PuzzleKind } from '../api/types';
import { replay } from '../game/position';
import { parseRules } from '../game/rules';

export interface PuzzleLines {
  puzzles: PuzzleDetail[];
  /** The numbers of lines that are no puzzles. */
  bad: number[];
}

const isStones = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string' && /^[A-Z]{1,2}\d{1,2}$/.test(one));
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export function readLines(text: string): PuzzleLines {
  const puzzles: PuzzleDetail[] = [];
  const bad: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const puzzle = readLine(line);
    if (puzzle) puzzles.push(puzzle);
    else bad.push(index + 1);
  }
  puzzles.sort((a, b) => a.summary.rating - b.summary.rating);
  return { puzzles, bad };
}

function readLine(line: string): PuzzleDetail | null {
  try {
    const json: any = JSON.parse(line);
    const { id, kind, order = 1, rules, position, solution, steps, tries = [], themes = [], features, rating, grade } = json;
    const fine =
      typeof id === 'string' && id !== '' && (kind === 'win' || kind === 'defence') && [1, 2, 3].includes(order) && isStones(solution) && solution.length > 0 &&
      isNumber(rating) && isNumber(grade) && isNumber(features?.turns) && themes.every((theme: unknown) => typeof theme === 'string');
    if (!fine) return null;
    // The position must be one that can be shown.
    const parsed = parseRules(rules);
    replay(parsed, position, [solution]);
    return {
      summary: { id, kind: kind as PuzzleKind, order, turns: features.turns, grade, rating, themes },
      rules,
      position,
      solution,
      main_line: kind === 'defence' ? [solution] : mainLine(steps),
      tries: tries.filter(({ turn, reply }: { turn: unknown; reply: unknown }) => isStones(turn) && isStones(reply)).map(({ turn, reply }: { turn: string[]; reply: string[] }) => ({ turn, reply })),
    };
  } catch {
    return null;
  }
}

/** The solution against the first reply everywhere, which is the most stubborn. */
function mainLine(steps: { turn: string[]; replies: [string[], number][] }[]): string[][] {
  const line: string[][] = [];
  let at = 0;
  for (;;) {
    const step = steps[at];
    if (!step || !isStones(step.turn)) throw new Error('no step');
    line.push(step.turn);
    const [reply, next] = step.replies[0] ?? [];
    if (reply === undefined || next === undefined) return line;
    // Steps lead onwards only, so that this comes to an end.
    if (!isStones(reply) || next <= at) throw new Error('no reply');
    line.push(reply);
    at = next;
  }
}
