// `npm run measure`: how fast the page is with a study of 10,000 nodes, and how much it loads. A real server, a real
// browser. Figures depend on the machine: nothing here passes or fails.

import { gzipSync } from 'node:zlib';
import { openPage, pointOf, Server, startBrowser } from './test/browser/harness.mjs';

const NODES = 10_000;
const LONGEST_LINE = 80;

/** Cells of each side, coloured so that nobody ever gets six in a row. */
function cellsOf() {
  const all = Array.from({ length: 361 }, (_, index) => ({ x: index % 19, y: Math.floor(index / 19) })).filter(({ x, y }) => x !== 9 || y !== 9);
  const name = ({ x, y }) => `${String.fromCharCode(65 + x)}${y + 1}`;
  const black = ({ x, y }) => (Math.floor(x / 2) + y) % 2 === 1;
  return { black: all.filter(black).map(name), white: all.filter((cell) => !black(cell)).map(name) };
}

/** A main line with variations of two turns beside each of its turns, comments on every tenth node. */
function bigStudy() {
  const cells = cellsOf();
  const nodes = [];
  const put = (parent, order, turn) => {
    const id = nodes.length + 1;
    const comment = id % 10 === 0 ? `Comment ${id}: what is happening here?` : '';
    nodes.push({ id, parent, order, turn, name: '', comment, marks: [], arrows: [], opinion: null });
    return id;
  };
  const side = (depth) => (depth % 2 === 0 ? cells.black : cells.white);
  const main = [0, put(0, 0, ['J10'])];
  for (let depth = 1; depth < LONGEST_LINE; depth += 1) {
    const from = 2 * Math.floor((depth - 1) / 2);
    main.push(put(main[depth], 0, side(depth).slice(from, from + 2)));
  }
  const free = (depth, number) => {
    const rest = side(depth).slice(LONGEST_LINE + 2);
    return [rest[number % rest.length], rest[(number + 1 + Math.floor(number / rest.length)) % rest.length]];
  };
  for (let variation = 1; nodes.length < NODES - 1; variation += 1) {
    for (let depth = 1; depth < LONGEST_LINE && nodes.length < NODES - 1; depth += 1) {
      const id = put(main[depth], variation, free(depth, variation));
      if (nodes.length < NODES - 1) put(id, 0, free(depth + 1, variation));
    }
  }
  return nodes;
}

async function make(server) {
  const { study } = await server.api('POST', '/studies', { title: 'Ten thousand' });
  const nodes = bigStudy();
  let base = study.revision;
  for (let start = 0; start < nodes.length; start += 5_000) {
    const edited = await server.api('POST', `/studies/${study.id}/edits`, { base, label: 'import', patch: { put: nodes.slice(start, start + 5_000), remove: [] } });
    base = edited.revision;
  }
  return study.id;
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), max: sorted.at(-1), n: sorted.length };
}

/** Milliseconds that the page's main thread computes: unlike frame times the same on a busy machine. */
async function computed(page, work) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
  const before = await spent();
  await work();
  const after = await spent();
  await cdp.detach();
  return after - before;
}

/** Frame times while `work` goes on in the page. */
async function frames(page, work) {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.framing = requestAnimationFrame(tick);
    };
    window.framing = requestAnimationFrame(tick);
  });
  await work();
  return spread(await page.evaluate(() => (cancelAnimationFrame(window.framing), window.frames_.slice(1))));
}

/** In the page: does something once a frame. */
const everyFrame = (page, times, name) =>
  page.evaluate(
    ([count, what]) =>
      new Promise((resolve) => {
        let done = 0;
        const list = document.querySelector('.list');
        const step = () => {
          if (done >= count) return resolve();
          if (what === 'scroll') list.scrollTop += 97;
          else window.dispatchEvent(new KeyboardEvent('keydown', { key: what, shiftKey: true, bubbles: true }));
          done += 1;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [times, name],
  );

/** From the click to the frame that has the stone. */
async function clicks(page, cells) {
  const times = [];
  for (const cell of cells) {
    const { x, y } = await pointOf(page, cell);
    await page.evaluate((name) => {
      window.drawn = new Promise((resolve) => {
        const svg = document.querySelector('svg.board');
        svg.addEventListener(
          'pointerup',
          (event) => {
            const look = () => (svg.querySelector(`[data-stone="${name}"]`) ? resolve(performance.now() - event.timeStamp) : requestAnimationFrame(look));
            look();
          },
          { once: true, capture: true },
        );
      });
    }, cell);
    await page.mouse.click(x, y);
    times.push(await page.evaluate(() => window.drawn));
  }
  return spread(times);
}

const round = (value) => (value === undefined ? '' : value.toFixed(1));
const table = [];
const row = (what, { p50, p95, max, n, cpu }) => table.push({ what, n, 'p50 ms': round(p50), 'p95 ms': round(p95), 'max ms': round(max), 'computed ms each': round(cpu) });

const server = await Server.start();
const browser = await startBrowser();
try {
  const id = await make(server);

  // The first load: everything fetched to show the page.
  const page = await openPage(browser, 'about:blank');
  const loaded = [];
  page.on('response', async (response) => {
    if (!/\.(js|css|svg)$|\/$/.test(new URL(response.url()).pathname)) return;
    loaded.push({ path: new URL(response.url()).pathname, body: await response.body().catch(() => Buffer.alloc(0)) });
  });
  const times = [];
  for (let run = 0; run < 5; run += 1) {
    await page.goto('about:blank');
    const start = Date.now();
    await page.goto(`${server.url}/#/study/${id}`);
    await page.locator('.list [role=listitem]').first().waitFor();
    times.push(Date.now() - start);
    if (run === 0) await page.waitForLoadState('networkidle');
  }
  const first = [...new Map(loaded.map((one) => [one.path, one])).values()];
  row(`open a study of ${NODES} nodes`, spread(times));

  const rows = await page.locator('.list [role=listitem]').count();
  await page.evaluate(() => (document.querySelector('.list').scrollTop = 0));
  const watched = async (what, times, name) => {
    let figures;
    const cpu = await computed(page, async () => (figures = await frames(page, () => everyFrame(page, times, name))));
    row(what, { ...figures, cpu: cpu / times });
  };
  await watched('frames, scrolling the turns', 200, 'scroll');
  await page.keyboard.press('Home');
  await watched('frames, stepping forward', LONGEST_LINE - 2, 'ArrowRight');
  await watched('frames, stepping back', LONGEST_LINE - 2, 'ArrowLeft');

  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  const cells = Array.from({ length: 40 }, (_, index) => `${String.fromCharCode(65 + (index % 19))}${15 + Math.floor(index / 19)}`);
  let drawn;
  let added;
  const cpu = await computed(page, async () => (added = await frames(page, async () => (drawn = await clicks(page, cells)))));
  row('frames, adding stones', { ...added, cpu: cpu / cells.length });
  row('click to stone drawn', drawn);

  console.table(Object.fromEntries(table.map(({ what, ...figures }) => [what, figures])));
  console.log(`rows of the turn list in the page: ${rows} of ${NODES - 1}`);
  const size = (pattern) => first.filter(({ path }) => pattern.test(path)).reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  const kilobytes = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`;
  console.log(`first load, gzipped: script ${kilobytes(size(/\.js$/))}, style ${kilobytes(size(/\.css$/))}, page ${kilobytes(size(/\/$/))}, all ${kilobytes(size(/./))}`);
  if (page.problems.length > 0) console.log('errors of the page:', page.problems);
} finally {
  await browser.close();
  await server.stop();
}
