// Files in and out through the page: every format, hostile texts, broken and oversize files, links and pictures.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { click, expectStones, finish, openStudy, saved, Server, startBrowser, stones } from './harness.mjs';

const RECORDS = fileURLToPath(new URL('../../../suites/records', import.meta.url));

let server;
let browser;
before(async () => {
  server = await Server.start();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const document = (id) => server.api('GET', `/studies/${id}`);
const studyAt = async (page) => Number((await page.evaluate(() => location.hash)).split('/').at(-1));

/** The tree without what a file does not carry. */
const shape = ({ nodes }) =>
  nodes.map(({ id, parent, turn, name, comment, marks, arrows }) => ({ id, parent, turn: [...turn].sort(), name, comment, marks: marks.toSorted((a, b) => (a.cell < b.cell ? -1 : 1)), arrows }));

async function importFile(page, file) {
  const before = await studyAt(page);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Import', exact: true }).click()]);
  await chooser.setFiles(file);
  await page.waitForFunction((id) => !location.hash.endsWith(`/${id}`), before);
  const id = await studyAt(page);
  await page.locator(`aside a.on[href="#/study/${id}"]`).waitFor();
  return id;
}

const text = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

async function exported(page, label) {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Through a format and back: the same tree. */
async function roundTrip(page, label) {
  const before = shape(await document(await studyAt(page)));
  const { name, bytes } = await exported(page, label);
  const again = await importFile(page, { name, mimeType: 'application/octet-stream', buffer: bytes });
  assert.deepEqual(shape(await document(again)), before, `${label} and back`);
}

const CONNECT6 = 'J10 K12 C3 Q5 I9';
const records = [
  ['connect6-nctu.sgf', CONNECT6, ['SGF', 'CCGC', 'LittleGolem', 'J10 I8 H9']],
  ['connect6-gb2312.ccgc', CONNECT6, ['CCGC', 'SGF']],
  ['connect6.moves', CONNECT6, ['J10 I8 H9']],
  ['gomoku.lib', null, ['RenLib (.lib)', 'SGF']],
  ['gomoku.psq', 'K11 I16 C2', ['Piskvork (.psq)']],
];

for (const [file, moves, formats] of records) {
  test(`${file} in, ${formats.join(', ')} out and in again`, async () => {
    const page = await openStudy(browser, server, {});
    await importFile(page, join(RECORDS, file));
    if (moves) await expectStones(page, moves);
    for (const format of formats) await roundTrip(page, format);
    await finish(page);
  });
}

test('a LittleGolem file of two games becomes two studies', async () => {
  const page = await openStudy(browser, server, {});
  const before = (await server.api('GET', '/studies')).length;
  await importFile(page, join(RECORDS, 'connect6.littlegolem'));
  assert.equal((await server.api('GET', '/studies')).length, before + 2);
  await expectStones(page, CONNECT6);
  await finish(page);
});

test('variations, comments, names and marks survive SGF', async () => {
  const page = await openStudy(browser, server, { moves: 'J10 I8 H9 K11 L10' });
  await page.keyboard.press('Shift+ArrowLeft');
  await click(page, 'K9', 'L8');
  await page.getByLabel('Comment', { exact: true }).fill('two lines\nwith ] and \\ and “quotes” 斜め');
  await page.getByLabel('Name', { exact: true }).fill('The far side');
  await page.getByLabel('Letters').click();
  await click(page, 'J9');
  await page.getByLabel('Triangle').click();
  await click(page, 'J10');
  await page.getByLabel('Stones', { exact: true }).click();
  await saved(page);
  await roundTrip(page, 'SGF');
  await finish(page);
});

test('a set-up in and out', async () => {
  const page = await openStudy(browser, server, { start: 'B:J10,Q5,I9 W:K12,C3 to-move:W' });
  const { bytes } = await exported(page, 'B:J10 W:I8,H9');
  assert.match(bytes.toString(), /to-move:W/);
  await importFile(page, text('position.setup', bytes));
  assert.deepEqual((await stones(page)).split(' ').sort(), ['C3', 'I9', 'J10', 'K12', 'Q5']);
  await finish(page);
});

test('a format that cannot hold the study says so in words', async () => {
  const page = await openStudy(browser, server, { moves: 'J10 I8 H9' });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'RenLib (.lib)' }).click();
  const message = await page.locator('.message').textContent();
  assert.match(message, /15|one stone/i);
  await finish(page);
});

const SCRIPT = '<script>window.hacked = 1</script>';
const IMAGE = '<img src=x onerror="window.hacked = 1">';
const HOSTILE = [SCRIPT, IMAGE, `"'><svg onload='window.hacked = 1'>`, '\u202Egnihton skcolb\u202C', '{{constructor.constructor("window.hacked = 1")()}}', 'javascript:window.hacked=1'];

test('hostile texts of a file are shown as they are, never run', async () => {
  const escape = (value) => value.replace(/([\]\\])/g, '\\$1');
  const comment = HOSTILE.join('\n');
  const long = `Long${' <b>x</b>'.repeat(12_000)}`;
  const sgf = `(;FF[4]CA[UTF-8]GM[511]SZ[19]GN[${escape(`Title ${IMAGE}`)}]PB[${escape(SCRIPT)}]PW[${escape(IMAGE)}]EV[${escape(`"><script>window.hacked = 1</script>`)}]DT[${escape(IMAGE)}]RE[${escape(IMAGE)}]SO[javascript:window.hacked=1]
;B[JJ]C[${escape(comment)}]N[${escape(IMAGE)}]LB[KK:${escape(SCRIPT)}](;W[KL];W[CC]C[${escape(long)}])(;W[AA];W[BB]N[${escape(SCRIPT)}]))`;
  const page = await openStudy(browser, server, {});
  page.on('dialog', () => page.problems.push('a dialog was opened'));
  const id = await importFile(page, text('<img src=x onerror=window.hacked=1>.sgf', sgf));
  await expectStones(page, 'J10 K12 C3');
  await page.keyboard.press('Shift+ArrowLeft');
  await expectStones(page, 'J10');
  assert.equal(await page.getByLabel('Comment', { exact: true }).inputValue(), comment);
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), IMAGE);
  await page.locator('.list', { hasText: IMAGE }).waitFor();
  await page.getByRole('complementary', { name: 'Library' }).getByText(IMAGE, { exact: true }).waitFor();
  await page.locator('svg.board text', { hasText: SCRIPT }).waitFor();
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction((length) => document.querySelector('textarea').value.length === length, long.length);
  await page.getByLabel('Search comments').fill('onerror');
  await page.waitForFunction(() => document.querySelectorAll('.list [role=listitem]').length === 1);
  await page.getByRole('button', { name: 'Study', exact: true }).click();
  assert.equal(await page.getByRole('dialog').getByLabel('Black').inputValue(), SCRIPT);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('onerror');
  await page.getByText('Comment', { exact: true }).last().waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.locator('.list', { hasText: IMAGE }).waitFor();
  assert.equal(await page.evaluate(() => window.hacked), undefined, 'no script of a file runs');
  assert.equal(await page.locator('main img, main script, .list b b, aside img').count(), 0, 'no element of a file is made');
  assert.equal((await document(id)).nodes.find(({ comment: kept }) => kept.startsWith('Long')).comment, long);
  await roundTrip(page, 'SGF');
  await finish(page);
});

test('a picture of a study with hostile texts carries them as text', async () => {
  const page = await openStudy(browser, server, { moves: 'J10' });
  await importFile(page, text('labels.sgf', `(;FF[4]GM[511]SZ[19];B[JJ]LB[KK:${SCRIPT}])`));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const svg = await copied(page, 'Copy picture (SVG)');
  assert.ok(!svg.includes('<script'));
  assert.ok(svg.includes('&lt;script'));
  await finish(page);
});

test('broken files change nothing, and the page says what is wrong', async () => {
  const page = await openStudy(browser, server, { moves: 'J10' });
  const before = await server.api('GET', '/studies');
  const broken = [
    ['broken.sgf', '(;GM[511]SZ[19];B[JJ];W[KL', /SGF line \d+, column \d+/],
    ['beside.sgf', '(;GM[511]SZ[19];B[z99])', /./],
    ['noise.lib', Buffer.from([0xff, 0x52, 0x65, 0x6e, 0x4c, 0x69, 0x62, 0xff, 3, 9, 1, 2, 3]), /RenLib|byte/i],
    ['twice.moves', 'J10 J10 K10', /J10/],
    ['empty.sgf', '', /./],
  ];
  for (const [name, content, wanted] of broken) {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Import', exact: true }).click()]);
    await chooser.setFiles(text(name, content));
    await page.locator('.message').waitFor();
    const message = await page.locator('.message span').first().textContent();
    assert.match(message, wanted, name);
    assert.doesNotMatch(message, /undefined|\[object|panicked|internal/i, name);
    await page.locator('.message').getByRole('button', { name: 'Close' }).click();
    await page.locator('.message').waitFor({ state: 'detached' });
  }
  assert.deepEqual(await server.api('GET', '/studies'), before);
  assert.equal(await studyAt(page), page.study);
  await expectStones(page, 'J10');
  await finish(page);
});

test('an oversize file is refused in words', async () => {
  const page = await openStudy(browser, server, { moves: 'J10' });
  const { largest_upload: most } = await server.api('GET', '/about');
  const path = join(tmpdir(), `tengen-large-${process.pid}.sgf`);
  writeFileSync(path, Buffer.alloc(most + 1, 32));
  try {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Import', exact: true }).click()]);
    await chooser.setFiles(path);
    const message = page.locator('.message span').first();
    await message.waitFor();
    assert.match(await message.textContent(), /MiB|MB|bytes|large/);
  } finally {
    rmSync(path);
  }
  await finish(page);
});

/** What a button of the export menu puts on the clipboard. */
async function copied(page, name) {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.locator('.message', { hasText: 'Copied.' }).waitFor();
  await page.locator('.message').getByRole('button', { name: 'Close' }).click();
  await page.locator('.message').waitFor({ state: 'detached' });
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const blob = await item.getType(item.types.includes('image/png') ? 'image/png' : 'text/plain');
    return item.types.includes('image/png') ? [...new Uint8Array(await blob.arrayBuffer()).slice(0, 24)] : blob.text();
  });
}

test('a copied link opens the same position, half-turns and set-ups included', async () => {
  for (const what of [{ moves: 'J10 I8 H9 K11 L10' }, { moves: 'J10 I8 H9 K11' }, { start: 'B:J10,Q5,I9 W:K12,C3 to-move:W' }, { rules: 'inf,inf,6,2,1', moves: '(-3,12)' }]) {
    const page = await openStudy(browser, server, what);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const before = await stones(page);
    const link = await copied(page, 'Copy link');
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/#\/position\?/);
    const other = await page.context().newPage();
    await other.goto(link);
    await expectStones(other, before);
    await finish(page);
  }
});

test('pictures: SVG that stands alone, PNG of the whole board', async () => {
  const page = await openStudy(browser, server, { moves: 'J10 I8 H9' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const svg = await copied(page, 'Copy picture (SVG)');
  const facts = await page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
    return { error: parsed.querySelector('parsererror')?.textContent ?? null, root: parsed.documentElement.localName, stones: parsed.querySelectorAll('[data-stone]').length };
  }, svg);
  assert.deepEqual(facts, { error: null, root: 'svg', stones: 3 });
  assert.doesNotMatch(svg, /var\(--|href="(?!#)|url\((?!["']?#|&quot;#)/, 'nothing refers to the page');
  const png = await copied(page, 'Copy picture (PNG)');
  assert.deepEqual(png.slice(0, 8), [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const width = png.slice(16, 20).reduce((sum, byte) => sum * 256 + byte, 0);
  assert.equal(width, 2 * (18 * 36 + 72));
  await finish(page);
});

test('where the clipboard is forbidden, pictures are downloaded', async () => {
  const page = await openStudy(browser, server, { moves: 'J10' });
  await page.evaluate(() => Object.defineProperty(navigator.clipboard, 'write', { value: () => Promise.reject(new Error('forbidden')) }));
  const svg = await exported(page, 'Copy picture (SVG)');
  assert.equal(svg.name, 'board.svg');
  assert.match(svg.bytes.toString(), /^<svg .*<\/svg>$/s);
  const png = await exported(page, 'Copy picture (PNG)');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  await finish(page);
});
