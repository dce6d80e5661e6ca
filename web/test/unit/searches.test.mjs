// Searches that come and go while answers about them are on their way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { KnownSearches } = await load('/src/api/searches.svelte.ts');

const search = (id, state = 'running') => ({ id, state });
const ids = (known) => [...known.all.keys()].sort();

test('an answer that was on its way does not bring a deleted search back', () => {
  const known = new KnownSearches();
  known.hear(search(1));
  const asked = known.now();
  known.hearDeleted(1);
  known.take(search(1), asked);
  known.takeAll([search(1), search(2)], asked);
  assert.deepEqual(ids(known), [2]);
});

test('a list does not forget what was heard since it was asked for', () => {
  const known = new KnownSearches();
  known.take(search(1), known.now());
  const asked = known.now();
  known.hear(search(2));
  known.takeAll([], asked);
  assert.deepEqual(ids(known), [2], 'the first was deleted while nobody listened');
});

test('what was heard counts more than an older answer, and less than a newer one', () => {
  const known = new KnownSearches();
  const asked = known.now();
  known.hear(search(1, 'paused'));
  known.take(search(1, 'running'), asked);
  assert.equal(known.all.get(1).state, 'paused');
  known.take(search(1, 'stopped'), known.now());
  assert.equal(known.all.get(1).state, 'stopped');
});

test('a number can be used again', () => {
  const known = new KnownSearches();
  known.hear(search(1));
  known.hearDeleted(1);
  known.hear(search(1, 'solved'));
  known.take(search(1, 'solved'), known.now());
  assert.deepEqual(ids(known), [1]);
});
