// The trainer's numbers: Glicko-2, and the puzzle of the day.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { afterAttempt, NEW_SOLVER } = await load('/src/puzzles/glicko.ts');

const solver = { rating: 1500, deviation: 200, volatility: 0.06 };

test('one game of the paper’s example', () => {
  // Glickman’s player against the first of his opponents alone.
  const after = afterAttempt(solver, { rating: 1400, deviation: 30, volatility: 0.06 }, 1);
  assert.ok(Math.abs(after.rating - 1563.56) < 0.05, String(after.rating));
  assert.ok(Math.abs(after.deviation - 175.4) < 0.05, String(after.deviation));
});

test('a solved puzzle raises, a missed one lowers, and the more the less it was expected', () => {
  const against = (rating, score) => afterAttempt(solver, { rating, deviation: 80, volatility: 0.06 }, score).rating - 1500;
  assert.ok(against(1500, 1) > 0 && against(1500, 0) < 0);
  assert.ok(Math.abs(against(1500, 1) + against(1500, 0)) < 1e-6);
  assert.ok(against(1900, 1) > against(1100, 1));
  assert.ok(against(1900, 0) > against(1100, 0));
});

test('a new solver is soon known better', () => {
  let now = NEW_SOLVER;
  for (let game = 0; game < 20; game += 1) now = afterAttempt(now, { rating: now.rating, deviation: 100, volatility: 0.06 }, game % 2);
  assert.ok(now.deviation < 150, String(now.deviation));
});
