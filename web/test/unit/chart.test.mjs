// Lines over time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { ceiling, mean, means, paths, shownSpan } = await load('/src/grid/chart.ts');

const sample = (ago, busy, threads = 4) => ({ ago, busy, threads, queued: 0, per_minute: 0 });
const busy = ({ busy: value }) => value;

test('as much time is shown as something is known of', () => {
  assert.equal(shownSpan([], 3_600), 300);
  assert.equal(shownSpan([sample(20, 1)], 3_600), 300);
  assert.equal(shownSpan([sample(1_000, 1), sample(5, 1)], 3_600), 1_800);
  assert.equal(shownSpan([sample(4_000, 1)], 3_600), 3_600);
  assert.equal(shownSpan([sample(80_000, 1)], 86_400), 86_400);
});

test('values are means of equal stretches, the oldest first, and holes stay holes', () => {
  const samples = [sample(95, 8), sample(90, 4), sample(5, 1), sample(0, 3)];
  assert.deepEqual(means(samples, 100, busy, 4), [6, null, null, 2]);
  assert.deepEqual(means([sample(500, 9)], 100, busy, 4), [null, null, null, null], 'too old');
  const share = ({ busy: part, threads }) => (threads > 0 ? part / threads : null);
  assert.deepEqual(means([sample(10, 0, 0)], 100, share, 2), [null, null], 'nobody was there');
});

test('a line has a run for each stretch of time that is known', () => {
  const { line, area } = paths([0, 1, null, null, 2, 2], 2, 100, 50);
  assert.equal(line, 'M0.0 50.0L20.0 25.0M80.0 0.0L100.0 0.0');
  assert.equal(area, 'M0.0 50.0L20.0 25.0L20.0 50L0.0 50zM80.0 0.0L100.0 0.0L100.0 50L80.0 50z');
  assert.equal(paths([1, null, 1], 1, 100, 50, 1).line, 'M0.0 0.0L50.0 0.0L100.0 0.0', 'a small hole is bridged');
  assert.equal(paths([null, 1, null], 1, 100, 50).line, 'M50.0 0.0L51.0 0.0', 'one place is a dash');
  assert.deepEqual(paths([null, null], 1, 100, 50), { line: '', area: '' });
});

test('the top is a round number above everything', () => {
  assert.deepEqual([[], [0], [0.2], [1.4], [38.4], [61], [100], [101]].map(ceiling), [1, 1, 1, 2, 50, 100, 100, 200]);
  assert.equal(mean([null, 1, 3]), 2);
  assert.equal(mean([null]), null);
});
