// A real server on a free port with a folder of its own, and a real browser looking at it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const BINARY = process.env.TENGEN_BINARY ?? join(ROOT, 'target/debug/tengen');
const BROWSER = process.env.TENGEN_BROWSER ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export class Server {
  static async start(options = {}) {
    const server = new Server();
    server.data = options.data ?? mkdtempSync(join(tmpdir(), 'tengen-test-'));
    server.more = options.more ?? [];
    await server.#run(options.port ?? 0);
    return server;
  }

  async #run(port) {
    this.process = spawn(BINARY, ['serve', '--data', this.data, '--port', String(port), ...this.more], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process.on('error', (error) => assert.fail(`${BINARY} does not start: ${error.message}`));
    for await (const line of createInterface({ input: this.process.stdout })) {
      const found = /http:\/\/[\d.]+:(\d+)/.exec(line);
      if (found) {
        this.port = Number(found[1]);
        this.url = `http://127.0.0.1:${this.port}`;
        return;
      }
    }
    assert.fail('the server ended before it said where it is');
  }

  async kill(signal = 'SIGKILL') {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }

  /** On the same port with the same folder. */
  async restart() {
    await this.#run(this.port);
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }

  async api(method, path, body) {
    const init = { method };
    if (body !== undefined) {
      const raw = typeof body === 'string' || body instanceof Uint8Array;
      init.body = raw ? body : JSON.stringify(body);
      init.headers = { 'content-type': raw ? 'application/octet-stream' : 'application/json' };
    }
    const response = await fetch(`${this.url}/api${path}`, init);
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** A grid's server, and workers for it; all end with it. */
export class Grid {
  workers = [];

  static async start() {
    const grid = new Grid();
    grid.data = mkdtempSync(join(tmpdir(), 'tengen-grid-'));
    grid.process = spawn(BINARY, ['grid', 'up', '--data', grid.data], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: grid.process.stdout })) {
      const found = /(nats:\/\/\S+) \(process (\d+)/.exec(line);
      if (!found) continue;
      grid.url = found[1];
      grid.pid = Number(found[2]);
      return grid;
    }
    return assert.fail('no grid: is nats-server installed?');
  }

  /** A worker; `ended` is what it says when it ends. */
  worker(name, ...options) {
    const worker = spawn(BINARY, ['worker', '--connect', this.url, '--name', name, '--log', 'none', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    worker.stderr.on('data', (text) => (said += text));
    worker.ended = once(worker, 'exit').then(([code]) => ({ code, said }));
    this.workers.push(worker);
    return worker;
  }

  async stop() {
    this.workers.forEach((worker) => worker.kill('SIGKILL'));
    const ended = once(this.process, 'exit');
    this.process.kill('SIGINT');
    await ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}

export async function startBrowser() {
  assert.ok(BROWSER, 'no chromium found: install the package chromium, or set TENGEN_BROWSER');
  return chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--force-color-profile=srgb'] });
}

/** A page at desktop size that fails the test on errors of its scripts. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce', colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => {
    const expected = /ERR_CONNECTION|WebSocket|Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !expected) page.problems.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Where a cell is on the screen. */
export async function pointOf(page, cell, board = page.locator('svg.board').first()) {
  const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(cell);
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return board.evaluate(
    (svg, { x, y }) => {
      const rows = (svg.viewBox.baseVal.height - 72) / 36;
      const point = new DOMPoint(36 + x * 36, 36 + (rows - y) * 36).matrixTransform(svg.getScreenCTM());
      return { x: point.x, y: point.y };
    },
    { x: column, y: Number(row) - 1 },
  );
}

export async function click(page, ...cells) {
  for (const cell of cells) {
    const { x, y } = await pointOf(page, cell);
    await page.mouse.click(x, y);
  }
}

/** The stones on the board as `J10 I8`, in the order they are drawn. */
export async function stones(page) {
  return page.locator('svg.board').first().locator('g[data-stone]').evaluateAll((all) => all.map((stone) => stone.dataset.stone).join(' '));
}

export async function expectStones(page, wanted) {
  await page.waitForFunction(
    (text) => [...(document.querySelector('svg.board')?.querySelectorAll('g[data-stone]') ?? [])].map((stone) => stone.dataset.stone).join(' ') === text,
    wanted,
  ).catch(async () => assert.equal(await stones(page), wanted));
}

export async function saved(page) {
  await page.locator('.status', { hasText: 'Saved' }).waitFor();
}

/** A page at a new study; `page.study` is its number. */
export async function openStudy(browser, server, what, options) {
  const { study } = await server.api('POST', '/studies', { title: 'A study', ...what });
  const page = await openPage(browser, `${server.url}/#/study/${study.id}`, options);
  await page.locator('svg.board').waitFor();
  page.study = study.id;
  return page;
}

/** Ends a test of a page: its scripts had no errors. */
export async function finish(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

/** Asks until the answer is to one's liking; what it was in the end is in the message. */
export async function eventually(ask, fine, what = 'never came true', seconds = 20) {
  const end = Date.now() + 1_000 * seconds;
  for (;;) {
    const answer = await ask();
    if (fine(answer)) return answer;
    assert.ok(Date.now() < end, `${what}: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const unfinished = (job) => ['queued', 'running', 'checking'].includes(job.state);
