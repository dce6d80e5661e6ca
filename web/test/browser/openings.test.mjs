// Opening theory: the atlas, the book, and searches whose trees grow while one looks at them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { click, eventually, expectStones, finish, openPage, openStudy, Server, startBrowser } from './harness.mjs';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PROOF = 'tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\nattacker black\nnodes 1\n0 D2\nend\n';

/** A search in another process, which does what it is told. */
class ByHand {
  constructor(server) {
    const binary = process.env.TENGEN_BINARY ?? fileURLToPath(new URL('../../../target/debug/tengen', import.meta.url));
    const example = join(dirname(binary), 'examples/search_by_hand');
    this.process = spawn(example, [join(server.data, 'tengen.book')], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.on('error', (error) => assert.fail(`${example} does not start, build it with \`cargo build --examples\`: ${error.message}`));
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async tell(what) {
    this.process.stdin.write(`${JSON.stringify(what)}\n`);
    const { value, done } = await this.answers.next();
    assert.ok(!done, `it ended at ${JSON.stringify(what)}`);
    return JSON.parse(value);
  }

  end() {
    this.process.stdin.end();
  }
}

let server;
let browser;
const hands = [];
before(async () => {
  server = await Server.start();
  browser = await startBrowser();
});
after(async () => {
  hands.forEach((hand) => hand.end());
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

async function search(title, root, rules = 'connect6') {
  const hand = new ByHand(server);
  hands.push(hand);
  hand.id = await hand.tell({ do: 'create', title, rules, root });
  return hand;
}

const at = (hand) => `${server.url}/#/openings?tab=searches&search=${hand.id}`;
const row = (page, turn) => page.locator('tr[data-node]').filter({ has: page.getByRole('button', { name: turn, exact: true }) });

async function violations(page) {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

test('the atlas has 44 openings; a click opens one, and it can be searched', async () => {
  const page = await openPage(browser, `${server.url}/#/openings?tab=atlas`);
  const map = page.locator('.map button');
  await eventually(() => map.count(), (count) => count === 44);
  await page.getByText('Untouched: 44').waitFor();
  await page.getByRole('button', { name: /^TX-d21/ }).click();
  await expectStones(page, 'J10 I8 H9');
  await page.getByRole('heading', { name: 'TX-d21' }).waitFor();
  await page.locator('.chosen').getByRole('button', { name: 'Search this' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Jobs at a time').fill('1');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Region').selectOption('3x3');
  await eventually(() => map.count(), (count) => count === 6);
  await finish(page);
});

test('a tree grows while one looks at it', async () => {
  const hand = await search('Growing', 'J10 I8 H9');
  const page = await openPage(browser, at(hand));
  await page.getByRole('heading', { name: 'Growing' }).waitFor();
  assert.equal(await page.locator('tr[data-node]').count(), 1, 'the root alone');
  await hand.tell({ do: 'answer', node: 0, turns: [['K11 L10', 'b3'], ['K9 L8', 'b1']] });
  await row(page, 'K11 L10').getByText('Black better, 3').waitFor();
  await hand.tell({ do: 'answer', node: 1, turns: [['J7 K6', 'unstable1']] });
  await hand.tell({ do: 'active', nodes: [3] });
  await row(page, 'J7 K6').getByText('at work').waitFor();
  const numbers = await row(page, 'J7 K6').locator('td.num').allTextContents();
  assert.deepEqual(numbers, ['5', '5']);
  const before = await row(page, 'J7 K6').locator('.row').first().evaluate((cell) => cell.getBoundingClientRect().width);
  assert.ok(before > 0);
  await page.getByText('2 jobs done').first().waitFor();

  await row(page, 'J7 K6').getByRole('button', { name: 'J7 K6', exact: true }).click();
  await expectStones(page, 'J10 I8 H9 K11 L10 J7 K6');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expectStones(page, 'J10 I8 H9 K11 L10');
  await row(page, 'K11 L10').getByRole('button', { name: 'Turns after K11 L10' }).click();
  await eventually(() => row(page, 'J7 K6').count(), (count) => count === 0, 'folded');
  await finish(page);
});

test('an expert pauses, resumes, excludes and suggests', async () => {
  const hand = await search('By hand', 'J10 I8 H8');
  await hand.tell({ do: 'answer', node: 0, turns: [['K11 L10', 'b3'], ['K9 L8', 'b1']] });
  const page = await openPage(browser, at(hand));
  const state = page.locator('[role=status]').first();
  await state.getByText('Running').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await state.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await state.getByText('Running').waitFor();

  await page.getByRole('button', { name: 'K11 L10', exact: true }).click();
  await page.getByRole('button', { name: 'Exclude K11 L10' }).click();
  await page.getByText('1 wish waiting').first().waitFor();
  assert.equal(await hand.tell({ do: 'commands' }), 1);
  await row(page, 'K11 L10').getByText('excluded', { exact: true }).waitFor();
  assert.equal(await row(page, 'K11 L10').locator('td').nth(1).innerText(), '–', 'who excludes a turn says nothing of who wins');
  await page.getByRole('button', { name: 'Allow K11 L10' }).click();
  await eventually(() => hand.tell({ do: 'commands' }), (count) => count === 1);
  await eventually(() => row(page, 'K11 L10').getByText('excluded', { exact: true }).count(), (count) => count === 0);

  await page.getByRole('button', { name: 'Root', exact: true }).click();
  await expectStones(page, 'J10 H8 I8');
  await page.getByText('Play a turn on the board to suggest it here.').waitFor();
  await click(page, 'K10', 'K12');
  await page.getByRole('button', { name: 'Suggest K10 K12' }).click();
  await eventually(() => hand.tell({ do: 'commands' }), (count) => count === 1);
  await row(page, 'K10 K12').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await state.getByText('Stopped').waitFor();
  await finish(page);
});

test('the proof of a solved search opens among the proofs', async () => {
  const hand = await search('Small', 'B:B2,C2 W:B5,C5 to-move:B', '6,6,4,1,1');
  const page = await openPage(browser, at(hand));
  await page.getByRole('heading', { name: 'Small' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Open proof' }).count(), 0);
  await hand.tell({ do: 'prove', proof: PROOF });
  await page.locator('[role=status]').first().getByText('Black wins, proved').waitFor();
  await page.getByRole('button', { name: 'Open proof' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/proofs/'));
  const [proof] = await server.api('GET', '/proofs');
  assert.equal(proof.title, 'Small: Black wins');
  await eventually(() => server.api('GET', `/proofs/${proof.id}`), ({ state }) => state === 'verified');
  await finish(page);
});

test('a search is deleted after a question, unless it runs; what it has proved stays', async () => {
  const hand = await search('Unwanted', 'B:B2,C3 W:B5,C5 to-move:B', '6,6,4,1,1');
  const page = await openPage(browser, at(hand));
  const panel = page.getByRole('region', { name: 'Live search tree' });
  const remove = panel.getByRole('button', { name: 'Delete search' });
  await panel.getByText('Running').waitFor();
  assert.equal(await remove.count(), 0, 'it runs');
  await panel.getByRole('button', { name: 'Stop' }).click();
  await remove.click();
  await panel.getByText('What it has proved stays in the book.').waitFor();
  await panel.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await server.api('GET', `/searches/${hand.id}`)).title, 'Unwanted');
  // Its process has it until it ends.
  hand.end();
  await remove.click();
  await panel.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Search deleted.').waitFor();
  await eventually(() => panel.count(), (count) => count === 0);
  await eventually(() => page.getByRole('button', { name: /Unwanted/ }).count(), (count) => count === 0);
  const titles = (await server.api('GET', '/searches')).map(({ title }) => title);
  assert.ok(!titles.includes('Unwanted'));
  await finish(page);
});

test('the tree of a search is asked for when it has changed, and not otherwise', async () => {
  const hand = await search('Quiet', 'B:B2,C4 W:B5,D5 to-move:B', '6,6,4,1,1');
  await hand.tell({ do: 'active', nodes: [0] });
  const page = await openPage(browser, at(hand));
  await page.getByRole('heading', { name: 'Quiet' }).waitFor();
  await row(page, 'Root').waitFor();
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().includes(`/searches/${hand.id}/tree`))));
  await page.waitForTimeout(1500);
  assert.ok(asked < 8, `asked ${asked} times although nothing happened`);
  await hand.tell({ do: 'answer', node: 0, turns: [['D2', 'b3']] });
  await row(page, 'D2').waitFor();
  assert.ok(asked > 0);
  await finish(page);
});

test('a search that is stuck says so, and is asked again', async () => {
  const hand = await search('Stuck', 'B:B2,C4 W:B5,C5 to-move:B', '6,6,4,1,1');
  await hand.tell({ do: 'answer', node: 0, turns: [] });
  await hand.tell({ do: 'stuck', note: 'a job was lost' });
  hand.end();
  const page = await openPage(browser, at(hand));
  const panel = page.getByRole('region', { name: 'Live search tree' });
  await panel.getByText('Nothing left to try').waitFor();
  await panel.getByText('a job was lost').waitFor();
  const again = panel.getByRole('button', { name: 'Ask again here' });
  await again.click();
  await panel.getByText('Stopped').waitFor();
  await eventually(() => again.count(), (count) => count === 0);
  await finish(page);
});

test('a search that somebody else deletes goes away', async () => {
  const hand = await search('Elsewhere', 'B:B2,C3 W:B5,C6 to-move:B', '6,6,4,1,1');
  const page = await openPage(browser, at(hand));
  await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
  await server.api('POST', `/searches/${hand.id}/stop`);
  hand.end();
  await server.api('DELETE', `/searches/${hand.id}`);
  await eventually(() => page.getByText('Elsewhere').count(), (count) => count === 0);
  await finish(page);
});

test('an answer that was on its way does not bring a deleted search back', async () => {
  const hand = await search('Late', 'B:B2,C3 W:B5,D6 to-move:B', '6,6,4,1,1');
  const page = await openPage(browser, at(hand));
  const heading = page.getByRole('heading', { name: 'Late' });
  await heading.waitFor();
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  let answered;
  const onItsWay = new Promise((resolve) => (answered = resolve));
  await page.route(`**/api/searches/${hand.id}/tree*`, async (route) => {
    const response = await route.fetch();
    answered();
    await held;
    await route.fulfill({ response });
  });
  // The tree has changed: the page asks for it, and the answer takes its time.
  await server.api('POST', `/searches/${hand.id}/stop`);
  await onItsWay;
  hand.end();
  await server.api('DELETE', `/searches/${hand.id}`);
  await heading.waitFor({ state: 'detached' });
  const arrived = page.waitForResponse(`**/api/searches/${hand.id}/tree*`);
  letGo();
  await (await arrived).finished();
  await page.waitForTimeout(300);
  assert.equal(await page.getByText('Late', { exact: true }).count(), 0);
  await finish(page);
});

test('the book speaks of the position, and listens', async () => {
  const page = await openPage(browser, `${server.url}/#/openings?rules=connect6&position=J10+H8+L8`);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByLabel('Comment on this position').fill('Both <b>sides</b> of the board.');
  await page.getByRole('button', { name: 'Save comment' }).click();
  await page.locator('blockquote', { hasText: 'Both <b>sides</b> of the board.' }).waitFor();
  assert.equal(await page.locator('blockquote b').count(), 0, 'comments are never HTML');
  await page.keyboard.press('Home');
  await page.getByLabel('Find names and comments').fill('sides board');
  await page.getByRole('button', { name: /XX-b22.*Both/ }).click();
  await page.getByRole('heading', { name: 'XX-b22' }).waitFor();
  await finish(page);
});

test('a search is asked for from a study', async () => {
  const page = await openStudy(browser, server, { moves: 'J10 J9 K12' });
  await page.keyboard.press('End');
  await page.getByRole('tab', { name: 'Proof' }).click();
  await page.getByRole('button', { name: 'Search from here' }).click();
  const dialog = page.getByRole('dialog');
  let asked;
  await page.route('**/api/searches', async (route) => {
    asked = route.request().postDataJSON();
    await route.fulfill({ status: 403, json: { code: 'refused', message: 'no worker is free' } });
  });
  await dialog.getByRole('button', { name: 'Start search' }).click();
  await dialog.getByRole('alert').getByText('no worker is free').waitFor();
  assert.deepEqual([asked.rules, asked.policy, asked.attacker], ['connect6', 'patient', 'black']);
  assert.match(asked.position, /J10/);
  await dialog.getByLabel('While a job works on a node, suppose that').selectOption('uct');
  await dialog.getByLabel('Look for a win of').selectOption('both');
  await dialog.getByRole('button', { name: 'Start search' }).click();
  await eventually(() => [asked.policy, asked.attacker].join(), (said) => said === 'uct,both');
  await finish(page);
});

test('on a phone nothing in the panel of a search lies over anything else', async () => {
  const hand = await search('A search with a title that is too long for one line', 'J10 I8 J8');
  await hand.tell({ do: 'answer', node: 0, turns: [['K11 L10', 'b3'], ['K9 L8', 'black-wins']] });
  const page = await openPage(browser, at(hand), PHONE);
  const panel = page.getByRole('region', { name: 'Live search tree' });
  await page.getByRole('button', { name: 'K11 L10', exact: true }).click();
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.getByRole('button', { name: 'Delete search' }).click();
  await panel.getByText('What it has proved').waitFor();
  const boxes = await panel.evaluate((card) => [...card.children].map((part) => {
    const inside = [...part.querySelectorAll('*')].map((element) => element.getBoundingClientRect().bottom);
    const { top, bottom } = part.getBoundingClientRect();
    return { top, bottom: Math.max(bottom, ...inside) };
  }));
  assert.ok(boxes.length >= 5);
  boxes.slice(1).forEach(({ top }, index) => assert.ok(top >= boxes[index].bottom - 1, `part ${index + 1} begins in part ${index}`));
  await finish(page);
});

for (const [size, options] of [['wide', {}], ['phone', PHONE]]) {
  for (const theme of ['light', 'dark']) {
    test(`no serious violation in the atlas and in searches: ${size}, ${theme}`, async () => {
      for (const address of ['#/openings?tab=atlas', '#/openings?tab=searches&search=1', '#/openings?position=J10+H8+L8']) {
        const page = await openPage(browser, `${server.url}/${address}`, { ...options, colorScheme: theme });
        await page.locator('.map button, tr[data-node], blockquote').first().waitFor();
        assert.deepEqual(await violations(page), [], address);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${address}: ${overflow} pixels stick out`);
        await finish(page);
      }
    });
  }
}
