import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { components } from './components.ts';

/** Relative addresses, so that the built page can be served from any folder. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [components()],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
});
