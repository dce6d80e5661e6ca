// What ranked turns say of the position they start from: nothing is called proved that is not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { countedFromHere, isBetterFounded, ofPosition } = await load('/src/engine/opinions.ts');

const opinion = (certainty, side, black, turns = null) => ({ certainty, side, black, turns, grade: null, proof: certainty === 'proved' ? 7 : null });
const line = (of) => ({ turn: ['J9', 'K9'], then: [], opinion: of });
const likely = opinion('likely', 'black', 0.6);
const blackWins = opinion('proved', 'black', 1, 4);

test('the turn of the winner is one more from here', () => {
  assert.equal(countedFromHere(blackWins, 'black').turns, 5);
  assert.equal(countedFromHere(blackWins, 'white').turns, 4);
  assert.equal(countedFromHere(likely, 'black').turns, null);
});

test('one proved win proves the position', () => {
  const verdict = ofPosition([line(blackWins), line(likely)], 'black', false);
  assert.deepEqual([verdict.certainty, verdict.side, verdict.turns, verdict.proof], ['proved', 'black', 5, 7]);
});

test('a loss is proved only when every turn is proved to lose', () => {
  const longer = opinion('proved', 'black', 1, 6);
  const lost = ofPosition([line(longer), line(blackWins)], 'white', true);
  assert.deepEqual([lost.certainty, lost.side, lost.turns, lost.proof], ['proved', 'black', 6, 7]);
  const apart = ofPosition([line(longer), line({ ...blackWins, proof: 8 })], 'white', true);
  assert.deepEqual([apart.certainty, apart.proof], ['proved', null]);
  const others = ofPosition([line(longer), line(blackWins)], 'white', false);
  assert.deepEqual([others.certainty, others.side, others.turns, others.proof], ['likely', 'black', null, null]);
  const mixed = ofPosition([line(blackWins), line(likely)], 'white', true);
  assert.equal(mixed.certainty, 'likely');
  assert.equal(ofPosition([], 'white', true), null);
});

test('what is written on a node gives way only to something better', () => {
  assert.ok(isBetterFounded(likely, null));
  assert.ok(isBetterFounded(blackWins, likely));
  assert.ok(!isBetterFounded(likely, blackWins));
  assert.ok(!isBetterFounded({ ...blackWins, proof: null }, likely));
  assert.ok(!isBetterFounded(opinion('open', null, 0.5), likely));
  assert.ok(!isBetterFounded(opinion('likely', 'black', 0.62), likely));
  assert.ok(isBetterFounded(opinion('likely', 'black', 0.75), likely));
  assert.ok(isBetterFounded(opinion('likely', 'white', 0.45), likely));
});
