// Pictures of the main views for the documentation: `npm run screenshots`. Look at them before you commit them.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPage, Server, startBrowser } from './test/browser/harness.mjs';
import { furnish, WIN } from './test/browser/sample.mjs';

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

mkdirSync(FOLDER, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();

async function picture(name, address, options, prepare = async () => {}) {
  const page = await openPage(browser, `${server.url}/${address}`, options);
  await page.locator('main').waitFor();
  await prepare(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  console.log(`${name}.png`, page.problems.join('; '));
  await page.context().close();
}

/** The engine's lines, some depths in. */
async function engine(page) {
  await page.locator('svg.board').waitFor();
  await page.keyboard.press(' ');
  await page.locator('.board .tag').first().waitFor();
  await page.waitForTimeout(6_000);
}

try {
  const { study, proof, game } = await furnish(server);
  const { study: win } = await server.api('POST', '/studies', { title: 'Won by double threats', start: WIN });
  await picture('study-light', `#/study/${study}`, {}, engine);
  await picture('study-dark', `#/study/${study}`, { colorScheme: 'dark' }, engine);
  await picture('win-light', `#/study/${win.id}`, {}, async (page) => {
    await page.getByRole('tab', { name: 'Proof' }).click();
    await page.getByRole('button', { name: 'By double threats' }).click();
    await page.locator('.badge', { hasText: 'VERIFIED' }).waitFor();
    await page.locator('.board .zone').first().waitFor();
  });
  await picture('analysis-light', `#/study/${study}`, {}, async (page) => {
    await page.getByRole('tab', { name: 'Analysis' }).click();
    await engine(page);
  });
  await picture('play-light', `#/study/${study}`, {}, async (page) => page.getByRole('tab', { name: 'Play' }).click());
  await picture('proof-light', `#/proofs/${proof}`, {}, async (page) => page.waitForTimeout(1_000));
  await picture('proof-dark', `#/proofs/${proof}`, { colorScheme: 'dark' }, async (page) => page.waitForTimeout(1_000));
  await picture('openings-light', '#/openings', {}, async (page) => {
    await page.getByText('T-b11').click();
    await page.waitForTimeout(1_000);
  });
  await picture('games-light', '#/games', {}, async (page) => page.waitForTimeout(1_000));
  await picture('game-dark', `#/games/${game}`, { colorScheme: 'dark' }, async (page) => page.getByRole('button', { name: 'Last' }).click());
  await picture('phone-light', `#/study/${study}`, PHONE, engine);
  await picture('study-ja', `#/study/${study}`, { locale: 'ja-JP' }, engine);
} finally {
  await browser.close();
  await server.stop();
}
