import type { ChartMode } from '../../../router/chart-modes.ts';
import type { DocumentKind } from '../documents/document-entries.ts';
import type { PinnedScript } from './pinned-script.ts';

/** One `<service-embed>` as it is written into a page. What is left out has the element's own default. */
export interface Embed {
  /** Repository path: `shared/demo/sales-by-region.service`. */
  readonly path: string;
  readonly kind: DocumentKind;
  /** Queries only. */
  readonly render: 'table' | 'chart' | 'kpi' | 'matrix';
  /** Charts only. */
  readonly mode: ChartMode;
  /** A CSS height; empty for the element's own default. */
  readonly height: string;
  readonly theme?: 'light' | 'dark' | 'auto';
  /** Undefined for what is public. */
  readonly token?: string | undefined;
}

/** Takes the place of a token that the page does not have, for the reader to replace. */
export const TOKEN_PLACEHOLDER = 'EMBED-TOKEN';

type Attribute = readonly [name: string, value: string];

/**
 * Writes the HTML to paste into any page to see `embed` there. `origin` is this server's, as `https://example.com`.
 * With `pinned` the page takes that version of the script and no other, and the browser checks its bytes.
 */
export function htmlSnippet(origin: string, embed: Embed, pinned?: PinnedScript): string {
  return `${scriptTag(origin, pinned)}\n${elementTag(origin, embed, '')}`;
}

function scriptTag(origin: string, pinned: PinnedScript | undefined): string {
  if (pinned === undefined) return `<script src="${escapeAttribute(`${origin}/ui/service-embed.js`)}"></script>`;
  return `<script
  src="${escapeAttribute(`${origin}/ui/${pinned.script}`)}"
  integrity="${escapeAttribute(pinned.integrity)}"
  crossorigin="anonymous"
></script>`;
}

/**
 * Writes a module of a React project. JSX reads the references of HTML in its attributes, and knows no backslashes
 * there.
 */
export function reactSnippet(origin: string, embed: Embed): string {
  return `import 'service-embed';

export function Embed() {
  return (
    <service-embed${attributeLines(origin, embed, '      ')}
    />
  );
}`;
}

/** Writes a component of a Vue project. */
export function vueSnippet(origin: string, embed: Embed): string {
  return `<script setup>
import 'service-embed';
</script>

<template>
${elementTag(origin, embed, '  ')}
</template>`;
}

/** What a Vue project has in `vite.config.js`, so that Vue does not look for a component of that name. */
export const VUE_CONFIG = `import vue from '@vitejs/plugin-vue';

const isCustomElement = (tag) => tag === 'service-embed';

export default {
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
};`;

function elementTag(origin: string, embed: Embed, indent: string): string {
  return `${indent}<service-embed${attributeLines(origin, embed, `${indent}  `)}\n${indent}></service-embed>`;
}

function attributeLines(origin: string, embed: Embed, indent: string): string {
  return attributes(origin, embed)
    .map(([name, value]) => `\n${indent}${name}="${escapeAttribute(value)}"`)
    .join('');
}

function attributes(
  origin: string,
  { path, kind, render, mode, height, theme = 'light', token }: Embed,
): readonly Attribute[] {
  const all: readonly (Attribute | undefined)[] = [
    ['server', origin],
    ['path', path],
    ['kind', kind],
    token === undefined ? undefined : ['token', token],
    kind !== 'query' ? undefined : ['render', render],
    kind !== 'query' || render !== 'chart' ? undefined : ['mode', mode],
    theme === 'light' ? undefined : ['theme', theme],
    height === '' ? undefined : ['height', height],
  ];
  return all.filter((attribute) => attribute !== undefined);
}

/** Escapes a text to stand between double quotes in HTML, in Vue's templates and in JSX. */
export function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
