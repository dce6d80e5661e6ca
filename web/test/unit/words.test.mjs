// The words of the page: every language says everything, and nothing is said that nobody reads.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from './load.mjs';

const { en } = await load('/src/i18n/en.ts');
const { compact, speak, number, t } = await load('/src/i18n/index.ts');
const OTHERS = await Promise.all(
  ['zh-Hant', 'zh-Hans', 'ja'].map(async (language) => ({ language, words: (await load(`/src/i18n/${language}.ts`)).words })),
);
const ALL = [{ language: 'en', words: en }, ...OTHERS];

/** Texts that are the same in every language. None is, at present. */
const SAME = new Set([]);

const plural = (key) => key.replace(/_one$/, '');
const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('all languages have the same keys', () => {
  for (const { language, words } of OTHERS) assert.deepEqual(Object.keys(words).sort(), Object.keys(en).sort(), language);
});

test('all languages fill in the same places', () => {
  for (const { language, words } of OTHERS) {
    for (const [key, text] of Object.entries(words)) {
      // English says "1 job" where others repeat "{n} jobs".
      assert.deepEqual(places(text), places(en[plural(key)]), `${language} ${key}`);
    }
  }
  for (const [key, text] of Object.entries(en)) {
    for (const place of places(text)) assert.ok(places(en[plural(key)]).includes(place), key);
  }
});

test('a form for one thing belongs to a form for many', () => {
  for (const key of Object.keys(en).filter((key) => key.endsWith('_one'))) assert.match(en[plural(key)] ?? '', /\{n\}/, key);
});

test('every text is there, translated and calm', () => {
  for (const { language, words } of ALL) {
    for (const [key, text] of Object.entries(words)) {
      assert.notEqual(text.trim(), '', `${language} ${key}`);
      assert.equal(text, text.trim(), `${language} ${key}`);
      assert.doesNotMatch(text, /[!！]/, `${language} ${key}`);
      if (language !== 'en' && !SAME.has(key)) assert.notEqual(text, en[key], `${language} ${key}`);
    }
  }
});

test('Chinese and Japanese prose has full-width punctuation', () => {
  for (const { language, words } of OTHERS) {
    for (const [key, text] of Object.entries(words)) assert.doesNotMatch(text, /[,.;:?](\s|$)|\(|\)/, `${language} ${key}`);
  }
});

/** The characters of an encoding's two-byte codes. */
function charactersOf(encoding, firstBytes, secondBytes) {
  const bytes = ([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const codes = bytes(firstBytes).flatMap((first) => bytes(secondBytes).map((second) => [first, second]));
  return new Set(codes.map((code) => new TextDecoder(encoding).decode(Uint8Array.from(code))));
}

test('the two Chinese texts keep to their own characters', () => {
  // Big5 as used in Taiwan has no simplified characters, the square of GB 2312 no traditional ones.
  const own = { 'zh-Hant': charactersOf('big5', [0xa4, 0xf9], [0x40, 0xfe]), 'zh-Hans': charactersOf('gbk', [0xb0, 0xf7], [0xa1, 0xfe]) };
  for (const { language, words } of OTHERS.slice(0, 2)) {
    const foreign = (text) => [...text].filter((sign) => /\p{Script=Han}/u.test(sign) && !own[language].has(sign));
    for (const [key, text] of Object.entries(words)) assert.deepEqual(foreign(text), [], `${language} ${key}`);
  }
});

/** The page's sources without the words themselves. */
async function sources() {
  const root = new URL('../../src/', import.meta.url);
  const files = await readdir(root, { recursive: true });
  const wanted = files.filter((file) => /\.(svelte|ts)$/.test(file) && !file.startsWith('i18n'));
  return (await Promise.all(wanted.map((file) => readFile(new URL(file, root), 'utf8')))).join('\n');
}

test('every text is used', async () => {
  const source = await sources();
  // `overlay.${name}.why` stands for all keys that fit it.
  const patterns = [...source.matchAll(/`((?:[\w.]|\$\{[^`}]*\})+)`/g)]
    .filter(([, template]) => /^\w+\.[\w.]*\$/.test(template))
    .map(([, template]) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`));
  const used = (key) =>
    source.includes(`t('${key}'`) || (key.includes('.') && source.includes(`'${key}'`)) || patterns.some((pattern) => pattern.test(key));
  assert.deepEqual(Object.keys(en).map(plural).filter((key) => !used(key)), []);
});

test('a language is spoken once its words are there', async () => {
  assert.equal(t('jobs.running', { n: 1 }), '1 job');
  assert.equal(t('jobs.running', { n: 1_200 }), '1,200 jobs');
  await speak('zh-Hant');
  assert.equal(t('tab.tree'), '棋譜樹');
  assert.equal(t('jobs.running', { n: 1 }), '1 項工作');
  // The last wish counts, whichever words arrive first.
  await Promise.all([speak('ja'), speak('en')]);
  assert.equal(t('tab.tree'), 'Tree');
  assert.equal(number(1_200), '1,200');
});

test('huge numbers need little room', async () => {
  await speak('en');
  assert.equal(compact(4_294_967_294), '4.3B');
});
