// The trainer: today's puzzle, solving one to its end, a mistake refuted, hints, and what the browser remembers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { BINARY, click, finish, openPage, Server, startBrowser, stones } from './harness.mjs';

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

test('JSON lines of one’s own are opened in the page, and bad lines are told', async () => {
  const page = await open();
  const lines = readFileSync(new URL('../../../suites/puzzles/starter.jsonl', import.meta.url), 'utf8').split('\n').slice(0, 3);
  const files = (text) => page.locator('input[type=file][accept=".jsonl"]').setInputFiles({ name: 'mine.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) });
  await files('no puzzle at all\n');
  await page.getByText('mine.jsonl holds no puzzles').waitFor();
  await files(`${lines.join('\n')}\n{"id":"half"}\n`);
  await page.getByText('mine.jsonl: 1 lines are no puzzles').waitFor();
  const choice = page.getByRole('combobox', { name: 'Collection' });
  assert.equal(await choice.inputValue(), 'mine.jsonl');
  await panel(page).getByText('Place the stones of a turn').waitFor();
  assert.equal(await page.getByRole('navigation', { name: 'List' }).getByRole('link').count(), 3);
  await choice.selectOption('starter');
  await page.getByRole('navigation', { name: 'List' }).getByRole('link').nth(3).waitFor();
  await finish(page);
});

test('a collection that the server was given is in the trainer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tengen-puzzles-'));
  const collection = join(folder, 'mine.puzzles');
  writeFileSync(join(folder, 'one.setup'), 'B:G9,H8,H12,I7,I8,I14,L7,L8,M6 W:G7,H6,H7,H10,I6,J6,J8,J10,K9,N5 to-move:B\n');
  execFileSync(BINARY, ['puzzle', 'generate', join(folder, 'one.setup'), '--out', collection]);
  const own = await Server.start({ more: ['--puzzles', collection] });
  const page = await openPage(browser, `${own.url}/#/puzzles?collection=mine`);
  await panel(page).getByText('Place the stones of a turn').waitFor();
  assert.match(await page.locator('.stage strong').textContent(), /White to move and win in 4 turns/);
  await click(page, 'L5', 'L6');
  await panel(page).getByText(/Right so far/).waitFor();
  await finish(page);
  await own.stop();
  rmSync(folder, { recursive: true });
});

test('a single threat is right where the puzzle asks for one', async () => {
  const [single] = (await server.api('GET', '/puzzles')).filter(({ order }) => order === 2);
  assert.ok(single, 'the collection has a puzzle with a single threat');
  const { solution } = await server.api('GET', `/puzzles/${single.id}`);
  const page = await open(single.id);
  await page.getByRole('button', { name: 'Hint' }).click();
  await panel(page).getByText('one of them makes a single threat').waitFor();
  await click(page, ...solution);
  await panel(page).getByText(/Right so far/).waitFor();
  await finish(page);
});

test('a quiet turn is right where the puzzle asks for one, and a reply that holds is shown where it is wrong', async () => {
  const [quiet] = (await server.api('GET', '/puzzles')).filter(({ themes }) => themes.includes('quiet'));
  assert.ok(quiet, 'the collection has a quiet puzzle');
  const { solution, tries } = await server.api('GET', `/puzzles/${quiet.id}`);
  const page = await open(quiet.id);
  await page.getByRole('button', { name: 'Hint' }).click();
  await panel(page).getByText('the first one threatens nothing').waitFor();
  await click(page, ...solution);
  await panel(page).getByText(/Right so far/).waitFor();
  await finish(page);
  const again = await open(quiet.id);
  await click(again, ...tries[0].turn);
  await panel(again).getByText(/no win by double threats|completes/).waitFor();
});
