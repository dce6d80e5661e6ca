// What the zones of a proof leave to be answered, defences with a stone placed, and symmetry.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { countReplies, matches, tagsOf, wholeTurn } = await load('/src/proofs/defences.ts');
const { findTurned, symmetries, symmetriesOf, turnedBy } = await load('/src/game/symmetry.ts');
const { parseRules } = await load('/src/game/rules.ts');

const board = (size) => Array.from({ length: size * size }, (_, index) => `${'ABCDEFG'[index % size]}${Math.floor(index / size) + 1}`);

function* sets(cells, count, from = 0) {
  if (count === 0) yield [];
  else for (let at = from; at < cells.length; at += 1) for (const rest of sets(cells, count - 1, at + 1)) yield [cells[at], ...rest];
}

/** By the definition: a turn is dismissed if each Z_i has fewer than i of its stones. */
const isDismissed = (turn, zones) => zones.every((zone, index) => turn.filter((cell) => zone.includes(cell)).length < index + 1);

test('replies are counted as the definition of zones says', () => {
  const cells = board(5);
  const stones = ['C3', 'D4'];
  const z1 = ['B2', 'C3'];
  const z2 = [...z1, 'A1', 'C2', 'D2'];
  const zones = [z1, z2, [...z2, 'E1', 'E2', 'D4', 'A5']];
  for (const half of [[], ['B2'], ['A1'], ['E2'], ['E5']]) {
    for (const turnSize of [1, 2, 3].filter((size) => size > half.length)) {
      const free = cells.filter((cell) => !stones.includes(cell) && !half.includes(cell));
      const turns = [...sets(free, turnSize - half.length)].map((turn) => [...half, ...turn]);
      const relevant = turns.filter((turn) => !isDismissed(turn, zones)).length;
      const counted = countReplies(zones, (cell) => free.includes(cell), free.length, half, turnSize);
      assert.deepEqual(counted, { replies: turns.length, relevant }, `${half} ${turnSize}`);
    }
  }
});

test('nothing is counted without zones for all stones of a turn', () => {
  assert.equal(countReplies([], () => true, 20, [], 2), null);
  assert.equal(countReplies([['A1']], () => true, 20, [], 2), null);
});

test('a defence stands for turns with its stones', () => {
  const of = (...stones) => ({ stones, example: [...stones, 'S1', 'S2'].slice(0, 2), answer: [], turns: 1 });
  assert.ok(matches(of('A1', 'B1'), ['B1'], 2));
  assert.ok(!matches(of('A1', 'B1'), ['C1'], 2));
  assert.ok(matches(of('A1'), ['C1'], 2));
  assert.ok(matches(of(), ['C1'], 2));
  assert.ok(!matches(of('A1', 'B1', 'D1'), ['C1'], 2));
  assert.deepEqual(wholeTurn(of('A1', 'B1'), ['B1'], 2), ['B1', 'A1']);
  assert.deepEqual(wholeTurn(of('A1'), ['C1'], 2), ['C1', 'A1']);
  assert.deepEqual(wholeTurn(of(), [], 2), ['S1', 'S2']);
  assert.deepEqual(wholeTurn(of('A1', 'B1', 'D1'), ['D1'], 2), ['D1', 'A1']);
});

test('a cell has one letter', () => {
  const defences = [['A1', 'B1'], ['B1', 'C1']].map((stones) => ({ stones, example: stones, answer: [], turns: 1 }));
  const tags = tagsOf(defences, [], 2).map(({ cell, text }) => cell + text);
  assert.deepEqual(tags, ['A1A', 'B1A', 'C1B']);
});

test('a square has eight symmetries, a rectangle four, an infinite board one', () => {
  for (const [text, count] of [['5,5,4,1,1', 8], ['5,4,4,1,1', 4], ['inf,inf,6,2,1', 1]]) {
    const all = symmetries(parseRules(text));
    const images = new Set(all.map((symmetry) => turnedBy(symmetry, ['A2', 'B1', 'A1', 'C2']).join()));
    assert.equal(images.size, count, text);
  }
});

test('positions keep the symmetries of their stones', () => {
  const rules = parseRules('connect6');
  const black = (cell) => ({ cell, side: 'black' });
  const white = (cell) => ({ cell, side: 'white' });
  assert.equal(symmetriesOf(rules, [black('J10')]).length, 8);
  assert.equal(symmetriesOf(rules, [black('J10'), white('I9'), white('I11')]).length, 2);
  assert.equal(symmetriesOf(rules, [black('J10'), white('I8'), white('H9')]).length, 2);
  assert.equal(symmetriesOf(rules, [black('J10'), white('I8'), white('H10')]).length, 1);
});

test('a turned position is found, another colour is not', () => {
  const rules = parseRules('connect6');
  const positions = [[], [{ cell: 'J10', side: 'black' }], [{ cell: 'J10', side: 'black' }, { cell: 'A2', side: 'white' }]];
  assert.equal(findTurned(rules, positions, [{ cell: 'J10', side: 'black' }, { cell: 'Q1', side: 'white' }]), undefined);
  assert.equal(findTurned(rules, positions, [{ cell: 'J10', side: 'black' }, { cell: 'R19', side: 'white' }]), 2);
  assert.equal(findTurned(rules, positions, [{ cell: 'J10', side: 'black' }, { cell: 'R19', side: 'black' }]), undefined);
});
