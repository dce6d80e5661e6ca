// The engine beside the board: lines, tags, verdicts, jobs, and what reloads and a killed server do to them.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { click, eventually, expectStones, finish, openStudy, Server, startBrowser, unfinished } from './harness.mjs';

const QUIET = 'J10 I8 H9';

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
// Two slow cores: no test works beside the jobs of another.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  for (const { id } of await server.api('GET', '/jobs')) await server.api('DELETE', `/jobs/${id}`);
});

const jobs = async (kind, page) => (await server.api('GET', '/jobs')).filter((job) => job.kind === kind && job.study === page.study);
const engine = (page) => page.getByRole('region', { name: 'Engine' });
const line = (page) => engine(page).locator('.line');

/** Lines of the position on the board, not those of the one before. */
async function linesHere(page) {
  await page.waitForFunction(() => {
    const lines = document.querySelector('[aria-label=Engine] .line')?.parentElement;
    return lines?.getAttribute('aria-busy') === 'false';
  });
}

async function withEngine(moves = QUIET) {
  const page = await openStudy(browser, server, { moves });
  await page.keyboard.press('Space');
  await linesHere(page);
  return page;
}

/** Lines come and go: what is read and what is pressed must be the same. */
const pressFirst = (page, button) =>
  page.evaluate((name) => {
    const pressed = document.querySelector(`[aria-label=Engine] .line ${name}`);
    const text = pressed.getAttribute('aria-label') ?? pressed.querySelector('.stones').textContent;
    pressed.click();
    return text;
  }, button);

const listed = (page) => line(page).locator('.stones').allTextContents();

test('Space switches the engine on: lines with verdicts, letters on the board, a verdict bar', async () => {
  const page = await openStudy(browser, server, { moves: QUIET });
  await engine(page).getByText('The engine is off.').waitFor();
  assert.equal(await page.locator('svg.board .tag').count(), 0);
  await page.keyboard.press('Space');
  await linesHere(page);
  await page.waitForFunction(() => document.querySelectorAll('[aria-label=Engine] .line').length === 3);
  for (const stones of await listed(page)) assert.match(stones, /^[A-S]\d+ [A-S]\d+$/);
  for (const verdict of await line(page).locator('.verdict .hidden').allTextContents()) assert.match(verdict, /wins|likely|Even|Open/);
  await page.locator('.bd .bar:not(.none) [role=img]').waitFor();
  await page.waitForFunction(() => {
    const first = document.querySelector('[aria-label=Engine] .line .stones').textContent.split(' ').length;
    return [...document.querySelectorAll('svg.board .tag text')].filter((tag) => tag.textContent === 'A').length === first;
  });
  await page.getByRole('combobox', { name: 'Lines' }).selectOption('1');
  await page.waitForFunction(() => document.querySelectorAll('[aria-label=Engine] .line').length === 1);
  await engine(page).locator('h3').click();
  await page.keyboard.press('Space');
  await engine(page).getByRole('button', { name: 'Switch the engine on' }).waitFor();
  await eventually(() => jobs('analyze', page), (all) => !all.some(unfinished), 'the job goes on');
  await finish(page);
});

test('pointing at a line shows its stones, pressing it plays them', async () => {
  const page = await withEngine();
  await line(page).first().hover();
  await page.waitForFunction(() => document.querySelectorAll('svg.board .ghost').length === 2);
  await page.locator('svg.board').hover({ position: { x: 5, y: 5 } });
  await page.waitForFunction(() => document.querySelectorAll('svg.board .ghost').length === 0);
  const turn = await pressFirst(page, '.turn');
  await expectStones(page, `${QUIET} ${turn}`);
  await engine(page).getByText('Best turns for White').waitFor();
  const here = (all) => all.filter(unfinished).map(({ request }) => request.position).join() === `${QUIET} ${turn}`;
  await eventually(() => jobs('analyze', page), here, 'one job follows the board');
  await finish(page);
});

test('a turn that is clicked away is not looked at any more, until it is taken back in', async () => {
  const page = await withEngine();
  const label = await pressFirst(page, '.out');
  const turn = label.replace('Leave out ', '');
  const chip = page.getByRole('button', { name: `Take ${turn} back in` });
  await chip.waitFor();
  await linesHere(page);
  assert.ok(!(await listed(page)).includes(turn));
  const [job] = (await jobs('analyze', page)).filter(unfinished);
  assert.deepEqual(job.request.exclude, [turn.split(' ')]);
  await page.reload();
  await chip.waitFor();
  await linesHere(page);
  assert.ok(!(await listed(page)).includes(turn));
  await chip.click();
  await chip.waitFor({ state: 'detached' });
  await eventually(() => jobs('analyze', page), (all) => all.some((one) => unfinished(one) && one.request.exclude.length === 0), 'all turns are looked at again');
  await finish(page);
});

test('with one stone placed the engine ranks second stones', async () => {
  const page = await withEngine();
  await click(page, 'J9');
  await engine(page).getByText('Second stone with J9').waitFor();
  await linesHere(page);
  for (const stones of await listed(page)) assert.match(stones, /^J9 [A-S]\d+$/);
  const turn = await pressFirst(page, '.turn');
  await expectStones(page, `${QUIET} ${turn}`);
  await finish(page);
});

test('an analysis survives a reload', async () => {
  const page = await withEngine();
  const [before] = (await jobs('analyze', page)).filter(unfinished);
  await page.reload();
  await linesHere(page);
  const after = await eventually(() => jobs('analyze', page), ([job]) => job.progress.seconds > before.progress.seconds, 'the analysis goes on');
  assert.deepEqual(after.map((job) => job.id), [before.id]);
  await finish(page);
});

test('a server killed in the middle of an analysis: the page reconnects, nothing is lost', async () => {
  const page = await withEngine();
  await click(page, 'A1', 'S19');
  await engine(page).getByText('Best turns for White').waitFor();
  await linesHere(page);
  await page.locator('.status', { hasText: 'Saved' }).waitFor();
  const [before] = (await jobs('analyze', page)).filter(unfinished);
  const nodes = (await server.api('GET', `/studies/${page.study}`)).nodes.length;

  await server.kill();
  await page.locator('.status', { hasText: 'Reconnecting' }).waitFor();
  assert.ok((await line(page).count()) > 0, 'what was found stays on the screen');
  await page.getByLabel('Comment', { exact: true }).fill('Written in the dark');
  await page.locator('svg.board').focus();
  await server.restart();

  await page.waitForFunction(() => !document.querySelector('.status').textContent.includes('Reconnecting'));
  await page.locator('.status', { hasText: 'Saved' }).waitFor();
  const [job] = await eventually(() => jobs('analyze', page), (all) => all.some((one) => one.state === 'running'), 'the analysis goes on');
  assert.equal(job.id, before.id);
  await linesHere(page);
  await page.waitForFunction(() => document.querySelectorAll('svg.board .tag').length > 0);
  const kept = (await server.api('GET', `/studies/${page.study}`)).nodes;
  assert.equal(kept.length, nodes);
  assert.equal(kept.at(-1).comment, 'Written in the dark');
  await expectStones(page, `${QUIET} A1 S19`);
  await finish(page);
});

test('several jobs at once; each can be stopped', async () => {
  const page = await withEngine();
  await page.getByRole('tab', { name: 'Proof' }).click();
  await page.getByRole('button', { name: 'Prove', exact: true }).click();
  const running = page.getByRole('region', { name: 'This position' }).getByRole('article', { name: 'Prove, also quiet turns' });
  await running.getByRole('button', { name: /^Stop/ }).waitFor();
  await page.getByRole('button', { name: '2 jobs' }).click();
  const list = page.getByRole('dialog', { name: 'Jobs' });
  await list.getByRole('article', { name: 'Analysis' }).waitFor();
  await list.getByRole('button', { name: 'Stop: Prove, also quiet turns' }).click();
  await running.getByText('Stopped').waitFor();
  await page.getByRole('button', { name: '1 job' }).waitFor();
  assert.equal((await jobs('find-win', page))[0].state, 'stopped');
  assert.ok(unfinished((await jobs('analyze', page))[0]), 'the analysis goes on');

  await list.getByRole('button', { name: 'Stop: Analysis' }).click();
  await list.getByRole('article', { name: 'Analysis' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Tree' }).click();
  await engine(page).getByRole('button', { name: 'Switch the engine on' }).waitFor();
  // Whoever stops it does not want it back: longer than the page's pause before it starts a job.
  await page.waitForTimeout(1_000);
  assert.ok(!(await jobs('analyze', page)).some(unfinished), 'no new analysis was started');
  await engine(page).getByRole('button', { name: 'Switch the engine on' }).click();
  await eventually(() => jobs('analyze', page), (all) => all.some(unfinished), 'it can be switched on again');
  await finish(page);
});
