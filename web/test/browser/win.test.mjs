// Finding wins and verifying claims: outcomes in words, zones and defences on the board, the winning tree as variations.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { expectStones, finish, openStudy, saved, Server, startBrowser } from './harness.mjs';

const WIN = 'B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B';
/** Five in a row with both ends open: two stones in its way save White, all other replies lose. */
const CLAIMED = 'B:H10,I10,J10,K10,L10 W:A1,A3,S19,S17 to-move:W';

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

const nodesOf = async (page) => (await server.api('GET', `/studies/${page.study}`)).nodes;
const here = (page) => page.getByRole('region', { name: 'This position' });
const zones = (page) => page.locator('svg.board path.zone');

async function proofTab(what) {
  const page = await openStudy(browser, server, what);
  await page.getByRole('tab', { name: 'Proof' }).click();
  return page;
}

test('P finds a win: verified, zones on the board, the winning tree as variations', async () => {
  const page = await openStudy(browser, server, { start: WIN });
  assert.equal(await zones(page).count(), 0);
  await page.keyboard.press('p');
  await here(page).getByText(/Black wins in \d turns/).waitFor();
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('svg.board path.zone')].some((zone) => zone.getAttribute('d') !== ''));
  await page.locator('.stage .bar').getByText(/Black wins in \d/).waitFor();

  await page.keyboard.press('z');
  await page.waitForFunction(() => document.querySelectorAll('svg.board path.zone').length === 0);
  await page.keyboard.press('z');
  await here(page).getByRole('button', { name: 'Show zones' }).click();
  await page.waitForFunction(() => document.querySelectorAll('svg.board path.zone').length === 0);
  await finish(page);
});

test('the winning tree becomes variations', async () => {
  const page = await openStudy(browser, server, { start: WIN });
  await page.keyboard.press('p');
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  assert.equal((await nodesOf(page)).length, 1);
  await here(page).getByRole('button', { name: 'Insert the winning tree' }).click();
  await here(page).getByRole('button', { name: 'The winning tree is in the study' }).waitFor();
  await saved(page);
  const nodes = await nodesOf(page);
  assert.ok(nodes.length > 3, `${nodes.length} nodes`);
  const [job] = (await server.api('GET', '/jobs')).filter(({ study }) => study === page.study);
  const first = nodes.filter(({ parent }) => parent === 0);
  assert.deepEqual(first.map(({ turn }) => [...turn].sort()), [[...job.outcome.turn].sort()]);
  assert.equal(nodes[0].opinion?.certainty, 'proved');

  await page.getByRole('tab', { name: 'Tree' }).click();
  await page.locator('.list', { hasText: job.outcome.turn.join(' ') }).waitFor();
  await page.getByLabel('Undo', { exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.list [role=listitem]').length === 0);
  await finish(page);
});

test('what was found is there after a reload', async () => {
  const page = await proofTab({ start: WIN });
  await page.getByRole('button', { name: 'By double threats' }).click();
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'Proof' }).click();
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('svg.board path.zone').length > 0);
  await page.keyboard.press('Home');
  await finish(page);
});

test('where no win is, the page says so', async () => {
  const page = await proofTab({ moves: 'J10 I8 H9' });
  await page.getByRole('button', { name: 'By double threats' }).click();
  await here(page).getByText('No win by double threats exists.').waitFor();
  assert.equal(await here(page).getByText('VERIFIED', { exact: true }).count(), 0);
  assert.equal(await zones(page).count(), 0);
  assert.equal((await nodesOf(page))[0].opinion, null);
  await finish(page);
});

test('a claim that holds: every reply loses', async () => {
  const page = await proofTab({ start: 'B:E10,H10,I10,J10,K10,N10,J7,J8,J9,J11 W:A1,A3,A5,S19,S17,S15,C1,C3 to-move:W' });
  await page.getByRole('button', { name: 'Verify this position' }).click();
  await here(page).getByText('Every reply loses. Black wins.').waitFor();
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  assert.equal(await page.locator('svg.board .tag').count(), 0);
  await finish(page);
});

test('a claim with holes: the surviving defences are listed, marked on the board, and can be played', async () => {
  const page = await proofTab({ start: CLAIMED });
  await page.getByRole('button', { name: 'Verify this position' }).click();
  await here(page).getByText(/\d+ of .* replies survive|defences? (is|are) not refuted|not refuted yet/).waitFor({ timeout: 40_000 });
  assert.equal(await here(page).getByText('VERIFIED', { exact: true }).count(), 0, 'nothing is proved');
  const defences = here(page).getByTitle(/^Play /);
  const stones = (await defences.first().getAttribute('title')).replace('Play ', '').split(' ');
  await page.locator('svg.board .tag', { hasText: /^1$/ }).first().waitFor();
  await defences.first().hover();
  await page.waitForFunction((count) => document.querySelectorAll('svg.board .ghost').length === count, stones.length);
  await defences.first().click();
  await page.waitForFunction((cells) => cells.every((cell) => document.querySelector(`svg.board [data-stone="${cell}"][data-side=white]`)), stones);
  await finish(page);
});

test('a search is about the position it was asked in', async () => {
  const page = await proofTab({ start: WIN });
  await page.keyboard.press('p');
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('a1 b1');
  await page.keyboard.press('Enter');
  await expectStones(page, 'M7 H8 L8 I9 J10 N6 G7 K10 K12 A1 B1');
  await here(page).getByText('Nothing was asked here yet.').waitFor();
  assert.equal(await zones(page).count(), 0);
  await page.getByRole('region', { name: 'Other positions of this study' }).getByRole('button', { name: /^Go to/ }).click();
  await here(page).getByText('VERIFIED', { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('svg.board path.zone').length > 0);
  await finish(page);
});
