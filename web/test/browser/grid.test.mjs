// The grid: real workers on a real server, seen and controlled from the page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, finish, Grid, openPage, Server, startBrowser } from './harness.mjs';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A worker is missed after 12 seconds of silence; the rest is patience with busy machines. */
const MISSED = 120_000;

let grid;
let server;
let browser;
let page;
before(async () => {
  grid = await Grid.start();
  server = await Server.start({ more: ['--grid', grid.url] });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await grid?.stop();
});

const row = (name) => page.locator(`tr[data-row="${name}"]`);
const search = () => row('Shared');
const share = async () => {
  const { searches } = await server.api('GET', '/grid');
  return searches.find(({ title }) => title === 'Shared');
};

async function violations(of) {
  await of.evaluate(AXE);
  const { violations: found } = await of.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

test('workers appear when they come', async () => {
  page = await openPage(browser, `${server.url}/#/grid`);
  await page.getByText('No worker is there').waitFor();
  await page.getByText('No search uses the grid now.').waitFor();
  const token = /\/\/(.*)@/.exec(grid.url)[1];
  assert.ok(!(await page.content()).includes(token), 'the token is a secret');
  grid.worker('attic-1', '--threads', '2', '--label', 'attic');
  grid.worker('doomed', '--threads', '1', '--only', 'evaluate');
  await row('attic-1').getByText('0 of 2').waitFor();
  await row('attic-1').getByText('idle').waitFor();
  await row('doomed').waitFor();
  await page.getByText('of 3 threads').waitFor();
  await row('attic-1').getByRole('button', { name: 'attic-1', exact: true }).click();
  await page.locator('.details').getByText('everything').waitFor();
  await row('attic-1').getByRole('button', { name: 'attic-1', exact: true }).click();
  // It is missed later: the next tests go on meanwhile.
  grid.workers[1].kill('SIGKILL');
});

test('a worker that pauses is shown so', async () => {
  // Whether a machine is busy is beyond a test: the server's answer is changed on its way.
  const paused = await openPage(browser, 'about:blank');
  await paused.route('**/api/grid', async (route) => {
    const answer = await route.fetch();
    const state = await answer.json();
    for (const worker of state.workers) Object.assign(worker, worker.name === 'attic-1' ? { paused: true, threads: 0 } : {});
    await route.fulfill({ response: answer, json: state });
  });
  await paused.goto(`${server.url}/#/grid`);
  const its = paused.locator('tr[data-row="attic-1"]');
  await its.getByText('pauses: other programs use its machine').waitFor();
  await its.locator('.dot.paused').waitFor();
  await its.getByText('0 of 0').waitFor();
  await finish(paused);
});

test('a search shows its share, and where its workers are', async () => {
  await server.api('POST', '/searches', { rules: 'connect6', position: 'J10 I8 H9', title: 'Shared' });
  await search().waitFor();
  await row('attic-1').getByText(/^[12] of 2$/).waitFor();
  await page.waitForFunction(() => Number(document.querySelector('[data-busy]')?.dataset.busy) > 0);
  await page.getByRole('img', { name: /^Shared: \d of \d threads$/ }).waitFor();
  assert.equal((await share()).search, 1, 'it is in the book');
  const link = row('attic-1').getByRole('link').first();
  assert.match(await link.innerText(), /^(Black|White) to play, \d+ stones$/);
  const [, position] = /position=([^&]+)/.exec(await link.getAttribute('href'));
  assert.match(decodeURIComponent(position), /^B:J10/);
  await link.click();
  await page.locator('svg.board g[data-stone]').first().waitFor();
  const stones = await page.locator('svg.board g[data-stone]').count();
  assert.ok(stones >= 3, `${stones} stones`);
  await page.goBack();
  await search().waitFor();
});

test('shares are changed while the search runs', async () => {
  await search().getByRole('button', { name: 'More for Shared' }).click();
  await eventually(share, ({ usage }) => usage.weight === 2);
  await search().locator('[data-weight]').getByText('2', { exact: true }).waitFor();
  // By keys: the row's name has the focus.
  await search().getByRole('button', { name: 'Share of Shared' }).focus();
  await page.keyboard.press('+');
  await search().locator('[data-weight]').getByText('3', { exact: true }).waitFor();

  await search().getByRole('button', { name: 'Share of Shared' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('At most so many threads').fill('1');
  await dialog.getByLabel('Urgency').selectOption('high');
  await dialog.getByLabel('Only workers').fill('attic');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await search().getByText('before all others · at most 1 · only attic').waitFor();
  const { usage } = await eventually(share, ({ granted }) => granted === 1);
  assert.deepEqual(usage, { weight: 3, most: 1, pool: 'attic', class: 'high' });
  // What was chosen is still so after a pause.
  await server.api('POST', '/searches/1/stop');
  await eventually(() => server.api('GET', '/searches/1'), ({ state, active }) => state === 'stopped' && active === 0);
  await eventually(() => server.api('POST', '/searches/1/resume').catch(() => null), (answer) => answer !== null);
  await eventually(share, (found) => found?.wants > 0 && found.usage.weight === 3 && found.usage.pool === 'attic', 'forgotten', 60);
});

test('a worker that is dropped goes and can be brought back; one that is let go leaves', async () => {
  const loud = grid.worker('loud', '--threads', '1', '--only', 'evaluate');
  const calm = grid.worker('calm', '--threads', '1', '--only', 'evaluate');
  await row('loud').getByRole('button', { name: 'Drop loud' }).click();
  const dialog = page.getByRole('dialog');
  assert.ok(await dialog.getByRole('button', { name: 'Drop', exact: true }).isDisabled(), 'a reason is wanted');
  await dialog.getByLabel('Reason').fill('<b>too</b> loud');
  await dialog.getByRole('button', { name: 'Drop', exact: true }).click();
  const { code, said } = await loud.ended;
  assert.notEqual(code, 0);
  assert.match(said, /<b>too<\/b> loud/);
  const dropped = page.locator('[data-dropped="loud"]');
  await dropped.getByText('<b>too</b> loud').waitFor();
  await dropped.getByRole('button', { name: 'Bring back: loud' }).click();
  await dropped.waitFor({ state: 'detached' });

  await row('calm').getByRole('button', { name: 'calm', exact: true }).focus();
  await page.keyboard.press('d');
  assert.equal((await calm.ended).code, 0);
});

test('a worker that is killed is shown as lost', async () => {
  await page.locator('[data-lost="doomed"]').waitFor({ timeout: MISSED });
  await row('doomed').waitFor({ state: 'detached' });
  grid.worker('doomed', '--threads', '1', '--only', 'evaluate');
  await page.locator('[data-lost="doomed"]').getByText('back again').waitFor();
});

test('the charts say what they show', async () => {
  await page.getByRole('img', { name: /^Utilisation over 5 min: \d+ % now, \d+ % in the mean$/ }).waitFor();
  await page.getByRole('img', { name: /^Jobs per minute over 5 min: [\d.]+ now/ }).waitFor();
  assert.notEqual(await page.locator('figure path.line').first().getAttribute('d'), '');
  await page.getByRole('button', { name: 'Last day' }).click();
  await page.getByRole('button', { name: 'Last day', pressed: true }).waitFor();
  await finish(page);
});

for (const [size, options] of [['wide', {}], ['phone', PHONE]]) {
  for (const theme of ['light', 'dark']) {
    test(`no serious violation: ${size}, ${theme}`, async () => {
      page = await openPage(browser, `${server.url}/#/grid`, { ...options, colorScheme: theme });
      await row('attic-1').waitFor();
      await search().waitFor();
      await row('attic-1').getByRole('button', { name: 'attic-1', exact: true }).click();
      // Once with the dialog and once without, in each theme and size.
      if ((size === 'wide') === (theme === 'light')) {
        await search().getByRole('button', { name: 'Share of Shared' }).click();
        await page.getByRole('dialog').waitFor();
      }
      assert.deepEqual(await violations(page), []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels stick out`);
      const hidden = await page.evaluate(() => [...document.querySelectorAll('main .rows')].map((part) => part.scrollWidth - part.clientWidth));
      assert.ok(hidden.every((width) => width <= 0), `${hidden} pixels are found only by scrolling sideways`);
      await finish(page);
    });
  }
}

test('all languages have words for it', async () => {
  for (const [locale, title] of [['ja-JP', 'ワーカー'], ['zh-TW', '工作端'], ['zh-CN', '工作端']]) {
    page = await openPage(browser, `${server.url}/#/grid`, { locale });
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await finish(page);
  }
});
