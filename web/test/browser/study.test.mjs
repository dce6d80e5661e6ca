// The study view: playing, editing, saving, finding one's way.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { click, expectStones, openPage, pointOf, saved, Server, startBrowser } from './harness.mjs';

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

async function study(moves, options) {
  const { study: made } = await server.api('POST', '/studies', { title: 'A study', moves });
  const page = await openPage(browser, `${server.url}/#/study/${made.id}`, options);
  await page.locator('svg.board').waitFor();
  page.study = made.id;
  return page;
}

const nodesOf = async (id) => (await server.api('GET', `/studies/${id}`)).nodes;
const done = async (page) => {
  assert.deepEqual(page.problems, []);
  await page.context().close();
};

test('a newcomer finds a board and plays on it', async () => {
  const page = await openPage(browser, server.url);
  await page.locator('svg.board').waitFor();
  await page.getByText('Click the board to place the first stone.').waitFor();
  await click(page, 'J10', 'I8', 'H9');
  await expectStones(page, 'J10 I8 H9');
  await page.getByText('Turn 3').first().waitFor();
  await done(page);
});

test('a turn of two stones has a visible half, which a second click lifts', async () => {
  const page = await study('J10');
  await click(page, 'I8');
  await page.locator('.pip', { hasText: 'I8' }).waitFor();
  await page.locator('.pip.todo', { hasText: 'second stone' }).waitFor();
  await saved(page);
  assert.equal((await nodesOf(page.study)).length, 2, 'a half-turn is no node');
  await click(page, 'I8');
  await expectStones(page, 'J10');
  await click(page, 'H9', 'I8');
  await expectStones(page, 'J10 H9 I8');
  await page.keyboard.press('Backspace');
  await expectStones(page, 'J10 H9');
  await done(page);
});

test('both orders of a turn are one node, and a half-turn survives a reload', async () => {
  const page = await study('J10');
  await click(page, 'I8', 'H9');
  await page.keyboard.press('Shift+ArrowLeft');
  await click(page, 'H9', 'I8');
  await saved(page);
  assert.equal((await nodesOf(page.study)).length, 3);
  await click(page, 'K11');
  await page.reload();
  await expectStones(page, 'J10 I8 H9 K11');
  await page.locator('.pip', { hasText: 'K11' }).waitFor();
  await done(page);
});

test('variations, comments, names and marks are there after a reload, and undo goes back across it', async () => {
  const page = await study('J10 I8 H9 K11 L10');
  await page.keyboard.press('Shift+ArrowLeft');
  await click(page, 'K9', 'L8');
  await page.getByLabel('Comment', { exact: true }).fill('Blocks <b>nothing</b>');
  await page.getByLabel('Name', { exact: true }).fill('The far side');
  await page.getByLabel('Square').click();
  await click(page, 'J9');
  await page.getByLabel('Stones', { exact: true }).click();
  await saved(page);
  await page.reload();
  await page.getByText('The far side').first().waitFor();
  assert.equal(await page.getByLabel('Comment', { exact: true }).inputValue(), 'Blocks <b>nothing</b>');
  assert.equal(await page.locator('.list b', { hasText: 'nothing' }).count(), 0, 'comments are never HTML');
  const variation = (await nodesOf(page.study)).find((node) => node.name === 'The far side');
  assert.deepEqual(variation.turn, ['K9', 'L8']);
  assert.deepEqual(variation.marks, [{ cell: 'J9', kind: 'square', text: '' }]);
  for (let edit = 0; edit < 4; edit += 1) {
    await page.getByLabel('Undo', { exact: true }).click();
    await saved(page);
  }
  await page.waitForFunction(() => document.querySelectorAll('.list [role=listitem]').length === 3);
  await page.getByLabel('Redo', { exact: true }).click();
  await page.locator('.list', { hasText: 'K9 L8' }).waitFor();
  await done(page);
});

test('a branch is deleted, the message takes it back', async () => {
  const page = await study('J10 I8 H9 K11 L10');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.getByLabel('Delete branch').click();
  await expectStones(page, 'J10');
  await saved(page);
  assert.equal((await nodesOf(page.study)).length, 2);
  await page.locator('.message').getByText('Undo').click();
  await page.locator('.list', { hasText: 'K11 L10' }).waitFor();
  await saved(page);
  assert.equal((await nodesOf(page.study)).length, 4);
  await done(page);
});

test('a variation moves to the front, comments are searched', async () => {
  const page = await study('J10 I8 H9');
  await page.keyboard.press('Shift+ArrowLeft');
  await click(page, 'J9', 'K12');
  await page.getByLabel('Comment', { exact: true }).fill('斜め');
  await page.getByLabel('Move to front').click();
  await saved(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction(() => document.querySelector('.list [role=listitem]:nth-child(2)').textContent.includes('J9 K12'));
  await page.getByLabel('Search comments').fill('斜');
  await page.waitForFunction(() => document.querySelectorAll('.list [role=listitem]').length === 1);
  await done(page);
});

test('everything can be done from the keyboard', async () => {
  const page = await study('');
  await page.getByRole('application').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expectStones(page, 'K11');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('l12 m13');
  await page.keyboard.press('Enter');
  await expectStones(page, 'K11 L12 M13');
  await page.keyboard.press('ArrowLeft');
  await expectStones(page, 'K11 L12');
  await page.keyboard.press('Home');
  await expectStones(page, '');
  await page.keyboard.press('End');
  await expectStones(page, 'K11 L12 M13');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await done(page);
});

test('a finger previews, a second tap places, the button ends the turn', async () => {
  const page = await study('J10', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const tap = async (cell) => {
    const { x, y } = await pointOf(page, cell);
    await page.touchscreen.tap(x, y);
  };
  await tap('I8');
  await page.getByRole('button', { name: 'Place I8', exact: true }).waitFor();
  await expectStones(page, 'J10');
  await tap('I8');
  await expectStones(page, 'J10 I8');
  await tap('H9');
  await page.getByRole('button', { name: 'Place H9, end turn' }).click();
  await expectStones(page, 'J10 I8 H9');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing sticks out: ${wide}`);
  await done(page);
});

test('theme and language change at once and are kept', async () => {
  const page = await study('J10');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  for (const [language, word] of [['zh-Hant', '研究'], ['zh-Hans', '棋谱树'], ['ja', '検討']]) {
    await page.locator('header select').selectOption(language);
    await page.getByText(word).first().waitFor();
  }
  await page.reload();
  await page.getByText('検討').first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await done(page);
});

test('the browser’s language is the first choice', async () => {
  const page = await study('J10', { locale: 'zh-TW' });
  await page.getByText('棋譜樹').first().waitFor();
  await done(page);
});

test('two windows show the same study', async () => {
  const page = await study('J10');
  const second = await openPage(browser, `${server.url}/#/study/${page.study}`);
  await second.locator('svg.board').waitFor();
  await click(page, 'I8', 'H9');
  await second.locator('.list', { hasText: 'I8 H9' }).waitFor();
  await done(second);
  await done(page);
});

test('edits made while the server is away are saved when it is back', async () => {
  const page = await study('J10');
  await saved(page);
  await server.kill();
  await click(page, 'I8', 'H9');
  await page.locator('.status', { hasText: /Reconnecting|Not saved/ }).waitFor();
  await server.restart();
  await saved(page);
  await page.waitForFunction(() => !document.querySelector('.status').textContent.includes('Reconnecting'));
  assert.equal((await nodesOf(page.study)).length, 3);
  await done(page);
});

test('a link carries the position', async () => {
  const page = await openPage(browser, `${server.url}/#/position?rules=gomoku&position=H8+I9+J10`);
  await expectStones(page, 'H8 I9 J10');
  await page.waitForFunction(() => location.hash.startsWith('#/study/'));
  await done(page);
});

test('boards of all sizes, infinite ones zoom', async () => {
  for (const rules of ['tic-tac-toe', '9,7,4,1,1', '30,30,6,2,1', 'inf,inf,6,2,1']) {
    const { study: made } = await server.api('POST', '/studies', { rules, title: rules });
    const page = await openPage(browser, `${server.url}/#/study/${made.id}`);
    await click(page, 'B2');
    await expectStones(page, 'B2');
    if (rules.startsWith('inf')) {
      await page.getByLabel('Zoom in').last().click();
      const [, , width] = (await page.locator('svg.board').getAttribute('viewBox')).split(' ').map(Number);
      assert.ok(width < 700);
    }
    await done(page);
  }
});
