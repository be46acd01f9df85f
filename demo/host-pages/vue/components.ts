import { type Plugin, transformWithOxc } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';

/** Marks the tag as a custom element, so that Vue does not look for a component. */
const isCustomElement = (tag: string): boolean => tag === 'service-embed';

/**
 * Compiles `.vue` files with `<script setup>` and a template, with Vue's own compiler. Your own app uses
 * `vue({ template: { compilerOptions: { isCustomElement } } })` of `@vitejs/plugin-vue` instead.
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
        // Addresses in templates stay unchanged: files of `public` need no import.
        templateOptions: { compilerOptions: { isCustomElement }, transformAssetUrls: false },
      });
      return transformWithOxc(content, `${id}.ts`);
    },
  };
}
