// The page's TypeScript modules, loaded as the page's builder loads them.

import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
let vite;

export async function load(path) {
  vite ??= await createServer({ root, logLevel: 'error', appType: 'custom', server: { middlewareMode: true, watch: null, ws: false } });
  return vite.ssrLoadModule(path);
}

after(() => vite?.close());
