// The tree of a study and its changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { Tree } = await load('/src/study/tree.ts');
const { rowsOf } = await load('/src/study/rows.ts');
const { graphAround } = await load('/src/study/graph.ts');

const bare = { name: '', comment: '', marks: [], arrows: [], opinion: null };
const node = (id, parent, order, turn) => ({ id, parent, order, turn, ...bare });

/** 1 – 2 – 3, with 4 beside 2 and 5 below 4. */
const sample = () =>
  new Tree([node(0, null, 0, []), node(1, 0, 0, ['J10']), node(2, 1, 0, ['I8', 'H9']), node(3, 2, 0, ['K11', 'L10']), node(4, 1, 1, ['J9', 'K12']), node(5, 4, 0, ['K9', 'L8'])]);

test('both orders of a turn are one node', () => {
  assert.equal(sample().childWith(1, ['H9', 'I8']), 2);
  assert.equal(sample().childWith(1, ['H9', 'I9']), undefined);
});

test('a patch and its opposite leave the tree as it was', () => {
  const tree = sample();
  const before = JSON.stringify([...tree.nodes.values()].sort((a, b) => a.id - b.id));
  const removed = tree.subtree(4).map((id) => tree.node(id));
  tree.apply(tree.removing(4));
  assert.deepEqual(tree.children(1), [2]);
  assert.equal(tree.nodes.size, 4);
  tree.apply({ put: removed, remove: [] });
  assert.deepEqual(tree.children(1), [2, 4]);
  assert.equal(JSON.stringify([...tree.nodes.values()].sort((a, b) => a.id - b.id)), before);
});

test('a number is never used twice', () => {
  const tree = sample();
  tree.apply(tree.removing(4));
  assert.equal(tree.newId(), 6);
  assert.equal(new Tree([node(0, null, 0, [])], 9).newId(), 9, 'deleted before this page was opened');
});

test('move to front changes the main line only', () => {
  const tree = sample();
  tree.apply(tree.movingToFront(4));
  assert.deepEqual(tree.children(1), [4, 2]);
  assert.equal(tree.lineEnd(0), 5);
  assert.deepEqual(tree.movingToFront(4), { put: [], remove: [] });
});

test('a grafted tree shares the turns that are there', () => {
  const tree = sample();
  const grafted = [node(1, 0, 0, ['H9', 'I8']), node(2, 1, 0, ['A1', 'B1']), node(3, 2, 0, ['C1', 'D1'])];
  tree.apply(tree.grafting(1, grafted));
  assert.deepEqual(tree.children(1), [2, 4]);
  const fresh = tree.childWith(2, ['A1', 'B1']);
  assert.deepEqual(tree.children(2), [3, fresh]);
  assert.deepEqual(tree.turns(tree.lineEnd(fresh)), [['J10'], ['I8', 'H9'], ['A1', 'B1'], ['C1', 'D1']]);
});

test('rows list variations below the turn they replace, then the main line goes on', () => {
  const rows = rowsOf(sample(), new Set());
  assert.deepEqual(rows.map(({ id, indent, turn }) => [id, indent, turn]), [[1, 0, 1], [2, 0, 2], [4, 1, 2], [5, 1, 3], [3, 0, 3]]);
  const folded = rowsOf(sample(), new Set([2]));
  assert.deepEqual(folded.map(({ id }) => id), [1, 2, 3]);
  assert.equal(folded[1].folded, 2);
});

test('every node has exactly one row, whatever the tree', () => {
  let seed = 1;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 50; round += 1) {
    const nodes = [node(0, null, 0, [])];
    for (let id = 1; id < 60; id += 1) nodes.push(node(id, random(id), random(10), [`A${id}`]));
    const ids = rowsOf(new Tree(nodes), new Set()).map((row) => row.id);
    assert.deepEqual([...ids].sort((a, b) => a - b), Array.from({ length: 59 }, (_, index) => index + 1));
  }
});

test('the picture has the current line in its first row', () => {
  const graph = graphAround(sample(), 5, (id) => sample().path(id).length - 1);
  assert.deepEqual(graph.nodes.filter(({ row }) => row === 0).map(({ id }) => id), [1, 4, 5]);
  assert.equal(graph.firstTurn, 1);
});
