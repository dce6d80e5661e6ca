// The browser's language is chosen by default.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { browserLanguage } = await load('/src/language.ts');

test('the first language that the page speaks is taken', () => {
  assert.equal(browserLanguage(['de', 'zh-TW', 'en']), 'zh-Hant');
  assert.equal(browserLanguage(['zh-Hant-HK']), 'zh-Hant');
  assert.equal(browserLanguage(['zh-CN', 'ja']), 'zh-Hans');
  assert.equal(browserLanguage(['ja-JP']), 'ja');
  assert.equal(browserLanguage(['fr', 'de']), 'en');
});
