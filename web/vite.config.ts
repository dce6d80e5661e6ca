import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const server = process.env.TENGEN_SERVER ?? 'http://127.0.0.1:6160';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', reportCompressedSize: true },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
