// How it looks: no serious accessibility violation in any view, light and dark, wide and narrow.
// `SCREENSHOTS=folder node --test test/browser/looks.test.mjs` also keeps pictures of the main views.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { openPage, Server, startBrowser } from './harness.mjs';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = process.env.SCREENSHOTS;

const WIN = 'J10 I8 H9 K11 L10 J7 K6 F11 L5';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let server;
let browser;
const views = {};
before(async () => {
  server = await Server.start();
  browser = await startBrowser();
  const { study } = await server.api('POST', '/studies', { title: 'I8 H9, K11 L10', folder: 'Openings', moves: WIN });
  await server.api('POST', '/studies', { title: 'Go-Moku', rules: 'gomoku', moves: 'H8 I9' });
  const proof = await server.api('POST', '/proofs?title=Triangle', readFileSync(join(ROOT, 'suites/proofs/connect6-order-1.proof')));
  const games = ';B[j10];W[i8h9];B[k11l10]\n';
  void games;
  Object.assign(views, { study: `#/study/${study.id}`, proofs: `#/proofs/${proof.id}`, openings: '#/openings', games: '#/games' });
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
        if (FOLDER) await page.screenshot({ path: join(FOLDER, `${name}-${size}-${theme}.png`) });
        await page.context().close();
      }
    });
  }
}
