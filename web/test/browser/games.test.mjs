// Collections of games and the openings that come out of them.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { click, expectStones, finish, openPage, openStudy, Server, startBrowser } from './harness.mjs';

/** Three games with I8 H9 (one of them mirrored), one with K12 C3; Black wins two. */
const GAMES = `(;FF[4]GM[511]SZ[19]PB[Ada]PW[Bo]RE[B+]DT[2024-01-05]EV[Spring cup];B[JJ];W[IH];W[HI];B[KK];B[LJ])
(;FF[4]GM[511]SZ[19]PB[Chen]PW[Ada]RE[B+R]DT[2024-02-05]EV[Spring cup];B[JJ];W[IH];W[HI];B[KI];B[LH])
(;FF[4]GM[511]SZ[19]PB[Dee]PW[Emi <b>bold</b>]RE[W+]DT[2025-03-05]EV[Autumn cup];B[JJ];W[KH];W[LI];B[AA];B[BB])
(;FF[4]GM[511]SZ[19]PB[Fay]PW[Gus]RE[0]DT[2025-04-05]EV[Autumn cup];B[JJ];W[KL];W[CC];B[QE];B[II])
`;
const GOLEM = `${Array.from({ length: 300 }, (_, index) => `${index + 1} j10 i8h9 ${index % 2 ? 'k11l10' : 'k9l8'}`).join('\n')}
900 j10 j10a1
`;

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

const file = (name, content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
const rows = (page) => page.locator('.found tbody tr');
const rowCount = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll('.found tbody tr').length === wanted, count);

async function importGames(page, content) {
  const button = page.getByRole('button', { name: 'Import games' }).first();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles(content);
}

test('a collection is imported: progress, list, what was left out', async () => {
  const page = await openPage(browser, `${server.url}/#/games`);
  await page.getByText('No games yet.').waitFor();
  await importGames(page, file('cups.sgf', GAMES));
  await page.getByText('4 games stored.').waitFor();
  await rowCount(page, 4);
  await rows(page).filter({ hasText: 'Emi <b>bold</b>' }).waitFor();
  assert.equal(await page.locator('tbody b').count(), 0, 'names are never HTML');
  await page.locator('aside').getByRole('button', { name: /^cups/ }).waitFor();

  await importGames(page, file('golem.txt', GOLEM));
  await page.getByText('300 games stored. 1 left out.').waitFor();
  await page.getByText('Why').click();
  await page.locator('details li', { hasText: /J10/i }).waitFor();
  await page.getByText('1 to 100 of 304').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('101 to 200 of 304').waitFor();
  await page.locator('aside').getByRole('button', { name: /^cups/ }).click();
  await rowCount(page, 4);
  await finish(page);
});

test('games are searched by names, events and dates', async () => {
  const page = await openPage(browser, `${server.url}/#/games`);
  await page.locator('aside').getByRole('button', { name: /^cups/ }).click();
  const search = page.getByLabel('Search players, events, dates');
  for (const [words, count] of [['ada', 2], ['Autumn', 2], ['2024-02', 1], ['<b>', 1], ['nobody', 0]]) {
    await search.fill(words);
    await rowCount(page, count);
  }
  await page.getByText('No game fits.').waitFor();
  await finish(page);
});

test('a game is opened, walked, and made a study', async () => {
  const page = await openPage(browser, `${server.url}/#/games`);
  await page.getByLabel('Search players, events, dates').fill('Gus');
  await rowCount(page, 1);
  await rows(page).first().click();
  await page.getByRole('heading', { name: /Fay/ }).waitFor();
  await page.keyboard.press('End');
  await expectStones(page, 'J10 K12 C3 Q5 I9');
  await page.keyboard.press('ArrowLeft');
  await expectStones(page, 'J10 K12 C3 Q5');
  await page.getByRole('button', { name: /2.*K12 C3/ }).click();
  await expectStones(page, 'J10 K12 C3');
  await page.getByRole('button', { name: 'Open as study' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/study/'));
  await expectStones(page, 'J10 K12 C3 Q5 I9');
  const id = Number((await page.evaluate(() => location.hash)).split('/').at(-1));
  const { study } = await server.api('GET', `/studies/${id}`);
  assert.deepEqual([study.info.black, study.info.white], ['Fay', 'Gus']);
  await finish(page);
});

test('the position of a study is searched in the games, turned and mirrored ones too, with statistics', async () => {
  const page = await openStudy(browser, server, { moves: 'J10 I8 H9' });
  await page.getByRole('link', { name: 'Games' }).first().click();
  await page.locator('aside').getByRole('button', { name: /^cups/ }).click();
  await page.getByRole('button', { name: 'With the position of the study' }).click();
  await rowCount(page, 3);
  await page.getByText('Black 2, drawn or unknown 0, White 1', { exact: true }).waitFor();
  await page.getByText('3 turns played next').waitFor();
  await rows(page).filter({ hasText: 'Dee' }).click();
  await expectStones(page, 'J10 K8 L9');
  await finish(page);
});

test('the openings show replies with counts, and walk on', async () => {
  const page = await openPage(browser, `${server.url}/#/openings?rules=connect6&position=J10`);
  const cups = (await server.api('GET', '/collections')).find(({ name }) => name.startsWith('cups'));
  await page.locator('select').filter({ hasText: cups.name }).selectOption(String(cups.id));
  await page.getByText('4 games, symmetry merged', { exact: true }).waitFor();
  const replies = page.locator('.replies tbody tr');
  await page.waitForFunction(() => document.querySelectorAll('.replies tbody tr').length === 2);
  const counts = await replies.locator('td:nth-child(3)').allTextContents();
  assert.deepEqual(counts, ['3', '1'], 'mirrored turns are one');
  assert.match(await replies.first().locator('[role=img]').getAttribute('aria-label'), /Black 2, drawn or unknown 0, White 1/);
  await replies.first().hover();
  await page.waitForFunction(() => document.querySelectorAll('svg.board .ghost').length === 2);
  await replies.first().click();
  await page.getByText('3 games, symmetry merged', { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('4 games, symmetry merged', { exact: true }).waitFor();
  await click(page, 'A1', 'S1');
  await page.getByText('No game goes on from here.').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('o');
  await page.waitForFunction(() => location.hash.startsWith('#/study/'));
  await finish(page);
});

test('a study sees where else its position came up', async () => {
  const page = await openStudy(browser, server, { moves: 'J10 K12 C3' });
  await page.getByText('Same position in').waitFor();
  await page.locator('aside').getByRole('button', { name: /Fay – Gus/ }).click();
  await page.getByRole('heading', { name: /Fay/ }).waitFor();
  await expectStones(page, 'J10 K12 C3');
  await finish(page);
});

test('a collection is deleted after asking', async () => {
  const page = await openPage(browser, `${server.url}/#/games`);
  await page.getByRole('button', { name: /^Delete golem/ }).click();
  await page.getByText(/with its 300 games\?/).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('1 to 4 of 4').waitFor();
  assert.equal((await server.api('GET', '/collections')).length, 1);
  await finish(page);
});
