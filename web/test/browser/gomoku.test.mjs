// White against a proof that Black wins Go-Moku, here from a position with four stones.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { click, eventually, finish, openPage, Server, startBrowser } from './harness.mjs';

const PROOF = fileURLToPath(new URL('../../../suites/gomoku/four-stones.gomoku', import.meta.url));
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let server;
let browser;
before(async () => {
  server = await Server.start({ more: ['--gomoku', PROOF] });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const all = (page) => page.locator('svg.board g[data-stone]').evaluateAll((stones) => stones.map(({ dataset }) => dataset.stone));
const count = (page, wanted) => eventually(async () => (await all(page)).length, (number) => number === wanted, `${wanted} stones`);
const FREE = [...'ABCDEFGHIJKLMNO'].flatMap((column) => [`${column}15`, `${column}1`]);

async function open(options) {
  const page = await openPage(browser, `${server.url}/#/gomoku`, options);
  await page.getByRole('heading', { name: 'Play against the proof of Go-Moku' }).waitFor();
  // The four stones of the proof's position, and Black's first.
  await count(page, 5);
  return page;
}

/** White places stones far away until Black has won. */
async function lose(page) {
  for (let stones = 5; stones < 60; ) {
    const taken = await all(page);
    await click(page, FREE.find((cell) => !taken.includes(cell)));
    await count(page, (stones += 2));
    if (await page.getByRole('heading', { name: 'Black wins' }).isVisible()) return stones;
  }
  return assert.fail('Black has not won');
}

test('White plays, Black answers and wins with a row that is shown', async () => {
  const page = await open();
  const status = page.locator('[role=status].now');
  await status.getByText('a position of the proof').waitFor();
  const { proof } = await server.api('GET', '/gomoku');
  assert.equal(await page.locator('dd').nth(2).textContent(), String(proof.records));
  await lose(page);
  await status.getByText('five in a row').waitFor();
  await page.locator('.turns li', { hasText: 'part of a win by threats' }).first().waitFor();
  assert.equal(await page.locator('svg.board circle[stroke-width="5"]').count(), 5);
  // The game is over: nothing can be placed, but taken back.
  const before = await all(page);
  await click(page, FREE.find((cell) => !before.includes(cell)));
  assert.deepEqual(await all(page), before);
  await page.getByRole('button', { name: 'Take back' }).click();
  await count(page, before.length - 2);
  await page.getByRole('heading', { name: 'Your turn' }).waitFor();
  await page.getByRole('button', { name: 'New game' }).click();
  await count(page, 5);
  await finish(page);
});

test('keys place, take back and begin anew', async () => {
  const page = await open();
  await page.locator('svg.board').focus();
  for (let step = 0; step < 14; step += 1) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await count(page, 7);
  await page.keyboard.press('Backspace');
  await count(page, 5);
  await page.keyboard.press('Enter');
  await count(page, 7);
  await page.keyboard.press('r');
  await count(page, 5);
  await finish(page);
});

for (const colorScheme of ['light', 'dark']) {
  test(`no serious violation: ${colorScheme}`, async () => {
    for (const options of [{}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]) {
      const page = await open({ colorScheme, ...options });
      await page.locator('summary').click();
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await finish(page);
    }
  });
}

test('without a proof the page says how to get one; the proofs lead there', async () => {
  const other = await Server.start();
  try {
    const page = await openPage(browser, `${other.url}/#/proofs`);
    await page.getByRole('link', { name: 'Play against the proof of Go-Moku' }).click();
    await page.getByRole('heading', { name: 'No proof of Go-Moku is loaded' }).waitFor();
    await page.getByText('tengen serve --gomoku FILE').waitFor();
    await finish(page);
  } finally {
    await other.stop();
  }
});
