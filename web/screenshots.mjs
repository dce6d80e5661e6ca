// Pictures of the main views for the documentation: `npm run screenshots`, or `npm run screenshots grid-light` for one of them.
// Look at them before you commit them.

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually, Grid, openPage, Server, startBrowser } from './test/browser/harness.mjs';
import { furnish, WIN } from './test/browser/sample.mjs';

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

mkdirSync(FOLDER, { recursive: true });
const server = await Server.start();
const browser = await startBrowser();

const ONLY = process.argv.slice(2);
const wanted = (name) => ONLY.length === 0 || ONLY.includes(name);

async function picture(name, address, options, prepare = async () => {}, of = server) {
  if (!wanted(name)) return;
  const page = await openPage(browser, `${of.url}/${address}`, options);
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

/** A small grid with two searches, some minutes in; one worker has been killed, one dropped, and one pauses while others compute. */
async function gridPicture() {
  const grid = await Grid.start();
  const here = await Server.start({ more: ['--grid', grid.url] });
  const others = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    grid.worker('office', '--threads', '2', '--pause-when-busy', '1');
    for (const name of ['attic-1', 'attic-2', 'cellar']) grid.worker(name, '--threads', '2', '--label', name.replace(/-.*/, ''));
    const lost = grid.worker('laptop', '--threads', '1');
    grid.worker('loft', '--threads', '1', '--only', 'evaluate');
    for (const [title, position] of [['TX-d21', 'J10 I8 H9'], ['J10 K11 I9', 'J10 K11 I9']]) await here.api('POST', '/searches', { rules: 'connect6', position, title });
    const state = () => here.api('GET', '/grid');
    const { searches } = await eventually(state, ({ summary, searches: all }) => summary.busy >= 5 && all.length === 2, 'never busy', 300);
    await here.api('PUT', `/grid/searches/${searches[0].client}`, { ...searches[0].usage, weight: 3 });
    lost.kill('SIGKILL');
    await here.api('POST', '/grid/workers/loft/drop', { reason: 'its clock is wrong' });
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.GRID_SECONDS ?? 240) * 1_000));
    await picture('grid-light', '#/grid', {}, async (page) => page.waitForTimeout(6_000), here);
  } finally {
    others.kill();
    await here.stop();
    await grid.stop();
  }
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
  if (wanted('grid-light')) await gridPicture();
} finally {
  await browser.close();
  await server.stop();
}
