// A person against the engine: whole games, both colours, taking back, resigning, hints, clocks, reloads.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { click, eventually, expectStones, finish, openStudy, Server, startBrowser, stones, unfinished } from './harness.mjs';

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

const headline = (page) => page.locator('.panel h2').first();
const button = (page, name) => page.getByRole('button', { name, exact: true });

async function game({ rules, colour = 'Black', level = 1, moves = '', clocks }) {
  const page = await openStudy(browser, server, { rules, moves });
  await page.getByRole('tab', { name: 'Play' }).click();
  await page.getByText(colour, { exact: true }).first().click();
  await page.getByRole('slider', { name: /Level/ }).fill(String(level));
  if (clocks) await page.getByLabel('Clocks').check();
  await button(page, moves === '' ? 'New game' : 'Play from this position').click();
  return page;
}

/** How the game stands once the engine has moved. */
async function settled(page) {
  await page.waitForFunction(() => /Your turn|wins|Drawn/.test(document.querySelector('.panel h2')?.textContent));
  return headline(page).textContent();
}

const count = async (page) => (await stones(page)).split(' ').filter(Boolean).length;
const waitForStones = (page, wanted) => page.waitForFunction((number) => document.querySelectorAll('svg.board g[data-stone]').length === number, wanted);

async function firstFree(page, width, height) {
  const taken = new Set((await stones(page)).split(' '));
  const cells = Array.from({ length: width * height }, (_, index) => `${String.fromCharCode(65 + (index % width))}${1 + Math.floor(index / width)}`);
  return cells.find((cell) => !taken.has(cell));
}

test('a whole game of tic-tac-toe, to its end', async () => {
  const page = await game({ rules: 'tic-tac-toe' });
  for (let turn = 0; (await settled(page)).startsWith('Your turn'); turn += 1) {
    assert.ok(turn < 5, 'nine cells are five turns');
    const before = await count(page);
    await click(page, await firstFree(page, 3, 3));
    await page.waitForFunction((number) => document.querySelectorAll('svg.board g[data-stone]').length > number, before);
  }
  const result = await settled(page);
  assert.match(result, /^(Black wins\.|White wins\.|Drawn, the board is full\.)$/);
  const facts = await server.api('POST', '/position', { rules: 'tic-tac-toe', position: await stones(page) });
  assert.equal(result, facts.winner === 'black' ? 'Black wins.' : facts.winner === 'white' ? 'White wins.' : 'Drawn, the board is full.', 'the server is the judge');
  assert.equal(await button(page, 'Resign').count(), 0);
  await button(page, 'Leave the game').waitFor();
  await finish(page);
});

test('a whole game of four in a row, to its end', async () => {
  const page = await game({ rules: '7,7,4,1,1' });
  for (let turn = 0; (await settled(page)).startsWith('Your turn'); turn += 1) {
    assert.ok(turn < 25, 'forty-nine cells are twenty-five turns');
    const facts = await server.api('POST', '/position', { rules: '7,7,4,1,1', position: await stones(page) });
    const cell = facts.black.wins[0]?.[0] ?? facts.black.defences[0]?.[0] ?? facts.white.defences[0]?.[0] ?? (await firstFree(page, 7, 7));
    const before = await count(page);
    await click(page, cell);
    await page.waitForFunction((number) => document.querySelectorAll('svg.board g[data-stone]').length > number, before);
  }
  assert.match(await settled(page), /wins\.|Drawn/);
  const before = await stones(page);
  await click(page, await firstFree(page, 7, 7));
  assert.equal(await stones(page), before, 'the game is over');
  await finish(page);
});

test('Connect6 with White: the engine opens, turns of two stones, take back, resign', async () => {
  const page = await game({ colour: 'White' });
  assert.equal(await settled(page), 'Your turn, White');
  assert.equal(await count(page), 1);
  const opening = await stones(page);
  const [one, two] = ['C3', 'D3', 'E3'].filter((cell) => cell !== opening);
  await click(page, one, two);
  await waitForStones(page, 5);
  assert.equal(await settled(page), 'Your turn, White');

  await button(page, 'Take back').click();
  await expectStones(page, opening);
  await page.getByText('Your turn, White').waitFor();
  await click(page, 'Q16', 'Q17');
  await waitForStones(page, 5);
  assert.match(await stones(page), /Q16 Q17/);
  const { nodes } = await server.api('GET', `/studies/${page.study}`);
  assert.equal(nodes.filter((node) => node.parent === 1).length, 2, 'the turn taken back stays as a variation');

  await button(page, 'Resign').click();
  await page.getByRole('heading', { name: 'White resigns. Black wins.' }).waitFor();
  await finish(page);
});

test('a hint is shown, and played when wanted', async () => {
  const page = await game({ moves: 'J10 I8 H9' });
  await settled(page);
  await button(page, 'Hint').click();
  await page.getByText('Looking for a turn.').waitFor();
  const hint = page.locator('.callout', { hasText: 'Try' });
  await hint.waitFor();
  const [, first, second] = /Try ([A-S]\d+) ([A-S]\d+)\./.exec(await hint.textContent());
  assert.equal(await page.locator('svg.board .tag').count(), 2);
  await hint.getByRole('button', { name: 'Play it' }).click();
  await waitForStones(page, 7);
  assert.ok((await stones(page)).startsWith(`J10 I8 H9 ${first} ${second}`));
  await finish(page);
});

test('during a game the verdict is hidden, the board is locked while the engine thinks', async () => {
  const page = await game({ level: 10, moves: 'J10', colour: 'Black' });
  await page.getByText('The engine thinks').waitFor();
  await click(page, 'A1', 'B1');
  assert.equal(await stones(page), 'J10', 'not our turn');
  await page.keyboard.press('Space');
  await page.getByRole('tab', { name: 'Tree' }).click();
  await page.getByText('Hidden during the game.').waitFor();
  assert.ok(!(await server.api('GET', '/jobs')).some((job) => job.kind === 'analyze' && unfinished(job)));
  await finish(page);
});

test('a reload while the engine thinks loses nothing: the same job gives its turn', async () => {
  const page = await game({ level: 10, moves: 'J10 I8 H9', colour: 'White' });
  await page.getByText('The engine thinks').waitFor();
  const turns = async () => (await server.api('GET', '/jobs')).filter((job) => job.kind === 'turn' && job.study === page.study);
  const [before] = await eventually(turns, (all) => all.length === 1, 'one job');
  await page.reload();
  await page.getByRole('tab', { name: 'Play' }).click();
  const ids = new Set([before.id]);
  await eventually(
    async () => {
      for (const { id } of await turns()) ids.add(id);
      return count(page);
    },
    (number) => number === 5,
    'the engine has moved',
  );
  assert.deepEqual([...ids], [before.id]);
  assert.equal(await settled(page), 'Your turn, White');
  await finish(page);
});

test('clocks run for the side to move and stand after the game', async () => {
  const page = await game({ rules: '9,9,5,1,1', clocks: true });
  await settled(page);
  const clock = (side) => page.getByRole('timer', { name: `Clock of ${side}` }).textContent();
  const [black, white] = [await clock('Black'), await clock('White')];
  assert.match(black, /^(10:00|9:5\d)$/);
  await eventually(() => clock('Black'), (text) => text !== black, 'Black’s clock runs');
  assert.equal(await clock('White'), white);
  await button(page, 'Resign').click();
  await page.getByText('Black resigns').first().waitFor();
  const stopped = await clock('Black');
  await page.waitForTimeout(1_500);
  assert.equal(await clock('Black'), stopped);
  await finish(page);
});

test('a new game from elsewhere gets a study of its own, with its result', async () => {
  const page = await openStudy(browser, server, { rules: 'tic-tac-toe', moves: 'B2 A1' });
  await page.getByRole('tab', { name: 'Play' }).click();
  await button(page, 'New game').click();
  await page.waitForFunction((id) => !location.hash.endsWith(`/${id}`), page.study);
  await page.getByText('Your turn, Black').waitFor();
  assert.equal(await count(page), 0);
  await button(page, 'Resign').click();
  const id = Number((await page.evaluate(() => location.hash)).split('/').at(-1));
  const { study } = await eventually(() => server.api('GET', `/studies/${id}`), (document) => document.study.info.result !== '', 'the result is written');
  assert.deepEqual([study.info.result, study.info.black], ['W+R', 'You']);
  await finish(page);
});
