import { type Plugin, transformWithOxc } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';

/** Tells Vue that the element is one, and not a component to look for. */
const isCustomElement = (tag: string): boolean => tag === 'service-embed';

/**
 * Compiles `.vue` files with `<script setup>` and a template, by the compiler that Vue itself brings. An app of your own
 * has `vue({ template: { compilerOptions: { isCustomElement } } })` of `@vitejs/plugin-vue` in its place.
 */
export function components(): Plugin {
  return {
    name: 'components',
    async transform(code, id) {
      if (!id.endsWith('.vue')) return null;
      const { descriptor, errors } = parse(code, { filename: id });
      if (errors[0] !== undefined) throw errors[0];
      const { content } = compileScript(descriptor, {
        id,
        inlineTemplate: true,
        // Addresses in templates stay as they are: files of `public` need no import.
        templateOptions: { compilerOptions: { isCustomElement }, transformAssetUrls: false },
      });
      return transformWithOxc(content, `${id}.ts`);
    },
  };
}
