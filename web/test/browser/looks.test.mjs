// How it looks: no serious accessibility violation in any view, light and dark, wide and narrow.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPage, Server, startBrowser } from './harness.mjs';
import { furnish } from './sample.mjs';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let server;
let browser;
const views = {};
before(async () => {
  server = await Server.start();
  browser = await startBrowser();
  const { study, proof, game } = await furnish(server);
  Object.assign(views, {
    study: `#/study/${study}`,
    proofs: `#/proofs/${proof}`,
    openings: '#/openings',
    games: '#/games',
    puzzles: '#/puzzles',
    game: `#/games/${game}`,
    grid: '#/grid',
    drawn: '#/drawn',
    gomoku: '#/gomoku',
  });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function violations(page) {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

const sizes = [
  ['wide', {}],
  ['phone', PHONE],
];

for (const [size, options] of sizes) {
  for (const theme of ['light', 'dark']) {
    test(`no serious violation: ${size}, ${theme}`, async () => {
      for (const [name, address] of Object.entries(views)) {
        const page = await openPage(browser, `${server.url}/${address}`, { ...options, colorScheme: theme });
        await page.locator('main').waitFor();
        await page.waitForTimeout(500);
        assert.deepEqual(await violations(page), [], name);
        assert.deepEqual(page.problems, [], name);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name}: ${overflow} pixels stick out`);
        await page.context().close();
      }
    });
  }
}

for (const [size, options, theme] of [['wide', {}, 'dark'], ['phone', PHONE, 'light']]) {
  test(`no serious violation in tabs and dialogs: ${size}, ${theme}`, async () => {
    const page = await openPage(browser, `${server.url}/${views.study}`, { ...options, colorScheme: theme });
    await page.locator('svg.board').waitFor();
    for (const tab of ['Analysis', 'Play', 'Proof']) {
      await page.getByRole('tab', { name: tab }).click();
      assert.deepEqual(await violations(page), [], tab);
    }
    if (size === 'phone') await page.getByRole('button', { name: 'Library' }).click();
    for (const name of ['New study', 'Study', 'Export']) {
      await page.getByRole('complementary').getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
