// Cells, rules and positions of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const cells = await load('/src/game/cells.ts');
const { parseRules } = await load('/src/game/rules.ts');
const { replay, canPlace, startPosition } = await load('/src/game/position.ts');

test('cells have the names of players', () => {
  for (const [name, x, y] of [['A1', 0, 0], ['I9', 8, 8], ['J10', 9, 9], ['Z26', 25, 25], ['AA1', 26, 0], ['BK63', 62, 62], ['(-3,12)', -4, 11]]) {
    assert.deepEqual(cells.parseCell(name), { x, y });
    assert.deepEqual(cells.parseCell(name.toLowerCase()), { x, y });
    assert.equal(cells.cellName({ x, y }), name);
  }
  for (const text of ['', 'J', '10', 'J0', 'J-1', 'J10x', '(1,)', 'ABC1']) assert.equal(cells.parseCell(text), null, text);
});

test('cells are read whatever stands between them', () => {
  assert.deepEqual(cells.parseCells('k10, j9 · (0,3)'), ['K10', 'J9', '(0,3)']);
  assert.deepEqual(cells.parseCells('J10K11L12'), ['J10', 'K11', 'L12']);
  assert.equal(cells.parseCells('K10 tengen'), null);
});

test('turns alternate as the rules say', () => {
  const rules = parseRules('connect6');
  const position = replay(rules, '', [['J10'], ['I8', 'H9'], ['K11']]);
  assert.equal(position.toMove, 'black');
  assert.equal(position.left, 1);
  assert.equal(position.turn, 3);
  assert.equal(position.stones.get('H9').turn, 2);
  assert.equal(position.stones.get('H9').side, 'white');
  assert.ok(!canPlace(position, 'J10') && !canPlace(position, 'T1') && canPlace(position, 'L10'));
});

test('a line wins, in every direction, and nothing can be placed after it', () => {
  const rules = parseRules('7,7,4,1,1');
  for (const line of [['A1', 'B1', 'C1', 'D1'], ['A1', 'A2', 'A3', 'A4'], ['A1', 'B2', 'C3', 'D4'], ['A4', 'B3', 'C2', 'D1']]) {
    const other = ['G7', 'G6', 'G5'];
    const turns = line.flatMap((cell, index) => (index < 3 ? [[cell], [other[index]]] : [[cell]]));
    const position = replay(rules, '', turns);
    assert.equal(position.winner, 'black');
    assert.deepEqual([...position.line].sort(), [...line].sort());
    assert.ok(!canPlace(position, 'G1'));
  }
});

test('more than five do not win where exactly five must', () => {
  const six = [['A1'], ['A15'], ['B1'], ['B15'], ['C1'], ['C15'], ['E1'], ['E15'], ['F1'], ['F15'], ['D1']];
  assert.equal(replay(parseRules('gomoku'), '', six).winner, 'black');
  assert.equal(replay(parseRules('gomoku-standard'), '', six).winner, null);
});

test('set-ups say who moves and how many stones are left', () => {
  const position = startPosition(parseRules('connect6'), 'B:J10,K11 W:(0,3),L12 to-move:W left:1');
  assert.equal(position.stones.size, 4);
  assert.equal(position.stones.get('(0,3)').side, 'white');
  assert.deepEqual([position.toMove, position.left], ['white', 1]);
});
