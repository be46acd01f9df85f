import { compile } from 'svelte/compiler';
import type { Plugin } from 'vite';

/**
 * Compiles `.svelte` files with Svelte's own compiler. Your own app uses `svelte()` of `@sveltejs/vite-plugin-svelte` instead.
 */
export function components(): Plugin {
  return {
    name: 'components',
    transform(code, id) {
      if (!id.endsWith('.svelte')) return null;
      const { js } = compile(code, { filename: id, generate: 'client', runes: true });
      return { code: js.code, map: js.map };
    },
  };
}
