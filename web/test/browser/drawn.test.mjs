// Black against a strategy that draws, on an endless board.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { eventually, openPage, Server, startBrowser } from './harness.mjs';

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

const answer = (body) => server.api('POST', '/drawn/answer', { line: 11, per_turn: 2, ...body });

test('the server answers only what is proved, and never lets eleven stand in a row', async () => {
  const games = await server.api('GET', '/drawn');
  assert.deepEqual(games.find((game) => game.per_turn === 2), { line: 11, per_turn: 2, cells: 24 });
  const bad = await fetch(`${server.url}/api/drawn/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ line: 10, per_turn: 2, black: [], white: [], turn: ['J10'] }),
  });
  assert.equal(bad.status, 404);
  // Black goes for a row, two stones a turn, around whatever White does.
  const [black, white] = [[], []];
  for (let turn = 0; turn < 12; turn += 1) {
    const free = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((column) => `${column}10`).filter((cell) => !black.includes(cell) && !white.includes(cell));
    const stones = free.slice(0, 2);
    if (stones.length === 0) break;
    const reply = await answer({ black, white, turn: stones });
    assert.ok(reply.answer.length <= stones.length);
    black.push(...stones);
    for (const stone of reply.answer) {
      assert.ok(!black.includes(stone) && !white.includes(stone));
      white.push(stone);
    }
  }
  const row = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((column) => (black.includes(`${column}10`) ? 'x' : ' ')).join('');
  assert.ok(!row.includes('x'.repeat(11)), row);
});

test('Black plays on the page, takes back, and changes the game', async () => {
  const page = await openPage(browser, `${server.url}/#/drawn`);
  await page.getByRole('heading', { name: 'Play against a draw' }).waitFor();
  const board = page.locator('svg.board');
  await board.waitFor();
  await board.focus();
  // The cursor's keys place stones, as on every board.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('Exchanges: 1').waitFor();
  await page.getByText('Longest black row: 2').waitFor();
  await page.keyboard.press('Backspace');
  await page.getByText('Exchanges: 0').waitFor();
  // One stone is a turn, too.
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'End turn' }).click();
  await page.getByText('Exchanges: 1').waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('Exchanges: 0').waitFor();
  await page.getByText('Longest black row: 0').waitFor();
  await page.getByLabel('Game').selectOption({ label: '16 in a row, 3 stones a turn' });
  await page.getByText('Exchanges: 0').waitFor();
  await page.getByText('copies of a tile of 48 cells').waitFor();
  assert.deepEqual(page.problems, []);
});

test('the proofs lead here', async () => {
  const page = await openPage(browser, `${server.url}/#/proofs`);
  await page.getByRole('link', { name: 'Play against a draw' }).click();
  await eventually(() => page.url(), (url) => url.endsWith('#/drawn'), 'the page is open');
});
