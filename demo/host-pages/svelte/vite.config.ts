import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { components } from './components.ts';

/** Relative addresses, so that the built page can be served from any folder. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [components()],
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
});
