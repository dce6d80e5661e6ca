// The trainer: today's puzzle, solving one to its end, a mistake refuted, hints, and what the browser remembers.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { click, finish, openPage, Server, startBrowser, stones } from './harness.mjs';

let server;
let browser;
let puzzle;
let defence;
before(async () => {
  server = await Server.start();
  browser = await startBrowser();
  const all = await server.api('GET', '/puzzles');
  const detail = (one) => one && server.api('GET', `/puzzles/${one.id}`);
  // Two stones to place in every turn: a free one could be anywhere.
  for (const one of all.filter(({ kind }) => kind === 'win').slice(0, 20)) {
    puzzle = await detail(one);
    if (puzzle.solution.length === 2 && puzzle.tries.some(({ turn }) => turn.length === 2)) break;
  }
  defence = await detail(all.find(({ kind }) => kind === 'defence'));
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const panel = (page) => page.getByRole('region', { name: 'Puzzles', exact: true });
const open = async (id) => {
  const page = await openPage(browser, `${server.url}/#/puzzles${id ? `?id=${id}` : ''}`);
  await panel(page).getByText('Place the stones of a turn').waitFor();
  return page;
};

/** Plays the attacker against whatever the server answers: the answers come from its own judgement. */
async function solve(page, { rules, position, solution }) {
  await click(page, ...solution);
  for (let turn = 0; turn < 12; turn += 1) {
    await panel(page).getByText(/Right so far|No turn can answer/).waitFor();
    if (await panel(page).getByRole('heading', { name: 'Right' }).isVisible()) return;
    const black = [];
    const white = [];
    for (const stone of await page.locator('svg.board g[data-stone]').evaluateAll((all) => all.map(({ dataset }) => ({ ...dataset })))) (stone.side === 'white' ? white : black).push(stone.stone);
    const side = /to-move:(\w)/.exec(position)[1];
    const setup = `B:${black.join(',')} W:${white.join(',')} to-move:${side}`;
    const { id } = await server.api('POST', '/jobs', { request: { kind: 'find-win', rules, position: setup, order: 1 } });
    let job;
    do job = (await server.api('GET', '/jobs')).find((one) => one.id === id);
    while (!job.outcome);
    await click(page, ...job.outcome.turn);
  }
  assert.fail('the puzzle does not end');
}

test('today’s puzzle is there without a choice', async () => {
  const page = await open();
  assert.match(await page.locator('.stage strong').textContent(), /to move/);
  assert.ok((await stones(page)).length > 0);
  await finish(page);
});

test('a mistake is answered, does not count twice, and one may start again', async () => {
  const page = await open(puzzle.summary.id);
  const wrong = puzzle.tries.find(({ turn }) => turn.length === 2);
  await click(page, ...wrong.turn);
  await panel(page).getByRole('heading', { name: 'Wrong' }).waitFor();
  await panel(page).getByText(/no win by double threats is left|completes a line first/).waitFor();
  const record = await page.evaluate(() => JSON.parse(localStorage.getItem('tengen.puzzles')));
  assert.equal(record.done[puzzle.summary.id], false);
  assert.ok(record.solver.rating < 1500 && record.streak === 0);
  await page.keyboard.press('r');
  await panel(page).getByText('Place the stones of a turn').waitFor();
  await click(page, ...puzzle.solution);
  await panel(page).getByText(/Right so far|No turn can answer/).waitFor();
  const after = await page.evaluate(() => JSON.parse(localStorage.getItem('tengen.puzzles')));
  assert.equal(after.solver.rating, record.solver.rating);
  await finish(page);
});

test('hints come in steps and the solution can be shown', async () => {
  const page = await open(puzzle.summary.id);
  await page.getByRole('button', { name: 'Hint' }).click();
  await panel(page).getByText(/each of them makes two threats/).waitFor();
  await page.getByRole('button', { name: 'Hint' }).click();
  await panel(page).getByText(`One stone goes to ${puzzle.solution[0]}`).waitFor();
  await page.keyboard.press('h');
  await panel(page).getByText(`The turn is ${puzzle.solution.join(' ')}`).waitFor();
  await page.getByRole('button', { name: 'Show solution' }).click();
  await panel(page).getByText(`The solution begins with ${puzzle.solution.join(' ')}`).waitFor();
  await finish(page);
});

test('the only defence holds', async () => {
  assert.ok(defence, 'the collection has a defence puzzle');
  const page = await open(defence.summary.id);
  await click(page, ...defence.solution);
  await panel(page).getByRole('heading', { name: 'Right' }).waitFor();
  await finish(page);
});

test('solved to the end, it counts', async () => {
  const page = await open(puzzle.summary.id);
  await solve(page, puzzle);
  const record = await page.evaluate(() => JSON.parse(localStorage.getItem('tengen.puzzles')));
  assert.equal(record.done[puzzle.summary.id], true);
  assert.ok(record.solver.rating > 1500 && record.streak === 1);
  await finish(page);
});
