// What the page says of a worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { moodOf, stateOf } = await load('/src/grid/mood.ts');

const worker = (facts) => ({ running: [], leaving: false, paused: false, dropped: false, incompatible: false, ...facts });
const job = { client: 'c', rules: 'connect6', position: 'B:J10 to-move:W', kind: 'expand', seconds: 1, delivery: 1 };

test('what is worse is said first', () => {
  const cases = [
    [{}, 'idle', 'grid.worker.idle'],
    [{ running: [job] }, 'busy', null],
    [{ paused: true }, 'paused', 'grid.worker.paused'],
    [{ paused: true, running: [job] }, 'paused', 'grid.worker.paused'],
    [{ paused: true, leaving: true }, 'leaving', 'grid.worker.leaving'],
    [{ paused: true, dropped: true }, 'useless', 'grid.worker.dropped'],
    [{ paused: true, incompatible: true }, 'useless', 'grid.worker.incompatible'],
  ];
  for (const [facts, mood, text] of cases) {
    assert.equal(moodOf(worker(facts)), mood, JSON.stringify(facts));
    assert.equal(stateOf(worker(facts)), text, JSON.stringify(facts));
  }
});
