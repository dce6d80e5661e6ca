// Proofs: loading, the checker's word, playing against one, files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { click, eventually, finish, openPage, openStudy, Server, startBrowser, stones } from './harness.mjs';

const PROOFS = fileURLToPath(new URL('../../../suites/proofs', import.meta.url));
/** Black wins in five turns by double threats. */
const WIN = 'B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B';

let server;
let browser;
let long;
before(async () => {
  server = await Server.start();
  browser = await startBrowser();
  const { id } = await server.api('POST', '/jobs', { request: { kind: 'find-win', rules: 'connect6', position: WIN, order: 1 } });
  const job = await eventually(async () => (await server.api('GET', '/jobs')).find((one) => one.id === id), ({ outcome }) => outcome !== null, 'the win is found', 60);
  long = await server.api('GET', `/proofs/${job.outcome.proof}`);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const panel = (page) => page.getByRole('region', { name: 'Proof', exact: true });
const zones = (page) => page.waitForFunction(() => [...document.querySelectorAll('svg.board path.zone')].some((zone) => zone.getAttribute('d') !== ''));
const over = (page) => page.getByText('Black has completed a line').first().isVisible();
const count = async (page) => (await stones(page)).split(' ').filter(Boolean).length;

async function load(page, file) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Load proof' }).last().click()]);
  await chooser.setFiles(file);
}

async function openProof(id) {
  const page = await openPage(browser, `${server.url}/#/proofs/${id}`);
  await panel(page).getByText('VERIFIED', { exact: true }).waitFor();
  await page.getByText('Defend as White').waitFor();
  return page;
}

/** After a reply the proof has answered, or the line is complete. */
async function answered(page, before) {
  await eventually(async () => ({ over: await over(page), stones: await count(page) }), (now) => now.over || now.stones >= before + 4, 'the proof answers');
}

test('a proof is loaded, checked, and shown with what it claims', async () => {
  const page = await openPage(browser, `${server.url}/#/proofs`);
  await page.locator('main').waitFor();
  await load(page, join(PROOFS, 'worked-example.proof'));
  await panel(page).getByText('worked-example').waitFor();
  await panel(page).getByText('VERIFIED', { exact: true }).waitFor();
  await panel(page).getByRole('heading', { name: 'Black wins', exact: true }).waitFor();
  await panel(page).getByText(/3 nodes/).waitFor();
  await panel(page).getByText(/independent checker/).waitFor();
  await page.locator('aside a[aria-current=page]', { hasText: 'verified' }).waitFor();
  await click(page, 'A2');
  await panel(page).getByRole('heading', { name: 'Black has completed a line' }).waitFor();
  assert.match(await stones(page), /D2.*A2.*E2/);
  await finish(page);
});

test('whatever the defender plays, the attacker completes a line', async () => {
  const page = await openProof(long.id);
  await zones(page);
  // Always the same random cells: a failure can be looked at again.
  let seed = 7;
  const random = (most) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let reply = 0; !(await over(page)); reply += 1) {
    assert.ok(reply < long.turns, `more than ${long.turns} turns`);
    const taken = new Set((await stones(page)).split(' '));
    const turn = [];
    while (turn.length < 2) {
      const cell = `${String.fromCharCode(65 + random(19))}${1 + random(19)}`;
      if (!taken.has(cell) && !turn.includes(cell)) turn.push(cell);
    }
    await click(page, ...turn);
    await answered(page, taken.size);
  }
  const facts = await server.api('POST', '/position', { rules: 'connect6', position: `B:${await side(page, 'black')} W:${await side(page, 'white')} to-move:W` }).catch((error) => error.message);
  assert.ok(facts.winner === 'black' || /won|decided|over|line/i.test(facts), `Black has won: ${JSON.stringify(facts)}`);
  await panel(page).getByRole('button', { name: 'Try another defence' }).click();
  await page.getByText('Defend as White').waitFor();
  await finish(page);
});

const side = (page, name) => page.locator(`svg.board g[data-side=${name}]`).evaluateAll((all) => all.map((stone) => stone.dataset.stone).join(','));

test('the hardest line is as long as the proof says; undo goes back', async () => {
  const page = await openProof(long.id);
  await zones(page);
  const start = await stones(page);
  let replies = 0;
  for (; !(await over(page)); replies += 1) {
    assert.ok(replies < long.turns, `more than ${long.turns} turns`);
    const before = await count(page);
    // Where every reply falls to the same threats the proof lists none: any turn will do.
    if (await panel(page).getByRole('button', { name: 'Hardest line' }).isEnabled()) await page.keyboard.press('h');
    else await click(page, 'A1', 'S19');
    await answered(page, before);
  }
  assert.equal(replies, long.turns - 1);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.getByText('Defend as White').waitFor();
  await page.keyboard.press('Home');
  await page.waitForFunction((wanted) => [...document.querySelectorAll('svg.board g[data-stone]')].map((stone) => stone.dataset.stone).join(' ') === wanted, start);
  await finish(page);
});

test('defences are listed, pointed at, played by letter, and taken back stone by stone', async () => {
  const page = await openProof(long.id);
  await zones(page);
  const start = await count(page);
  const rows = panel(page).locator('tbody tr');
  await rows.first().hover();
  await page.waitForFunction(() => document.querySelectorAll('svg.board .ghost').length === 2);
  await page.locator('svg.board .tag', { hasText: 'A' }).first().waitFor();
  await page.keyboard.press('Shift+A');
  await answered(page, start);
  await page.keyboard.press('Backspace');
  await page.waitForFunction((number) => document.querySelectorAll('svg.board g[data-stone]').length === number, start + 1);
  await page.keyboard.press('Backspace');
  await page.waitForFunction((number) => document.querySelectorAll('svg.board g[data-stone]').length === number, start);
  await finish(page);
});

test('a proof goes out in each form and comes back verified', async () => {
  const page = await openProof(long.id);
  const files = {};
  for (const [form, label] of [['text', 'Text, for people'], ['compact', 'Compact, the smallest file'], ['json', 'JSON, for programs']]) {
    await page.getByRole('button', { name: 'Export proof' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: label }).click()]);
    files[form] = { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  assert.ok(files.text.bytes.toString().startsWith('tengen-proof 1\n'));
  assert.equal(typeof JSON.parse(files.json.bytes.toString()), 'object');
  const all = await server.api('GET', '/proofs');
  for (const form of ['text', 'compact']) {
    await server.api('DELETE', `/proofs/${(await server.api('GET', '/proofs')).find(({ position }) => position === long.position).id}`);
    await load(page, { name: `again-${form}.proof`, mimeType: 'application/octet-stream', buffer: files[form].bytes });
    await panel(page).getByText(`again-${form}`).waitFor();
    await panel(page).getByText('VERIFIED', { exact: true }).waitFor();
    const [again] = await server.api('GET', '/proofs');
    assert.deepEqual([again.nodes, again.position, again.turns], [long.nodes, long.position, long.turns]);
    long = again;
  }
  assert.equal((await server.api('GET', '/proofs')).length, all.length);
  await finish(page);
});

test('a proof with a hole is disputed, with the checker’s reason', async () => {
  const page = await openPage(browser, `${server.url}/#/proofs`);
  await page.locator('main').waitFor();
  await load(page, join(PROOFS, 'reject-shift.proof'));
  await panel(page).getByText('disputed').waitFor();
  await panel(page).getByText('B3 is missing in the claimed zone 1', { exact: true }).waitFor();
  await panel(page).getByRole('heading', { name: /^Claimed:/ }).waitFor();
  assert.equal(await panel(page).getByText('VERIFIED', { exact: true }).count(), 0);
  await page.locator('aside a[aria-current=page]', { hasText: 'disputed' }).waitFor();
  await finish(page);
});

test('a proof that leaves replies open says which', async () => {
  const page = await openPage(browser, `${server.url}/#/proofs`);
  await page.locator('main').waitFor();
  await load(page, join(PROOFS, 'partial.proof'));
  await panel(page).getByText(/verified except \d/).waitFor();
  await panel(page).getByText('Left open', { exact: true }).waitFor();
  await finish(page);
});

test('files that are no proofs are refused in words', async () => {
  const page = await openPage(browser, `${server.url}/#/proofs`);
  await page.locator('main').waitFor();
  const before = (await server.api('GET', '/proofs')).length;
  for (const content of ['tengen-proof 1\nrules nonsense\n', '(;GM[511])', '\u0000\u0001\u0002', '']) {
    await load(page, { name: 'broken.proof', mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
    await page.locator('.message').waitFor();
    assert.match(await page.locator('.message span').first().textContent(), /proof|rules|line/i);
    await page.locator('.message').getByRole('button', { name: 'Close' }).click();
    await page.locator('.message').waitFor({ state: 'detached' });
  }
  assert.equal((await server.api('GET', '/proofs')).length, before);
  await finish(page);
});

test('a win found in a study is challenged from there', async () => {
  const page = await openStudy(browser, server, { start: WIN });
  await page.keyboard.press('p');
  await page.getByText('VERIFIED', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Challenge it' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/proofs/'));
  await page.getByText('Defend as White').waitFor();
  await zones(page);
  await panel(page).getByRole('button', { name: 'Open in study' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/study/'));
  const { outcome } = (await server.api('GET', '/jobs')).find(({ study }) => study === page.study);
  await page.waitForFunction((turn) => turn.every((cell) => document.querySelector(`svg.board [data-stone="${cell}"][data-side=black]`)), outcome.turn);
  await finish(page);
});

test('a proof is deleted after asking, and the message brings it back', async () => {
  const page = await openPage(browser, `${server.url}/#/proofs`);
  await load(page, join(PROOFS, 'exact.proof'));
  await panel(page).getByText('exact').waitFor();
  await panel(page).getByText('VERIFIED', { exact: true }).waitFor();
  const before = (await server.api('GET', '/proofs')).length;
  await page.getByRole('button', { name: 'Delete proof' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await eventually(() => server.api('GET', '/proofs'), (all) => all.length === before - 1, 'it is gone');
  await page.locator('.message').getByText('Undo').click();
  await eventually(() => server.api('GET', '/proofs'), (all) => all.length === before, 'it is back');
  await finish(page);
});
