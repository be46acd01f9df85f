import type { ChartMode } from '../../../router/chart-modes.ts';
import type { DocumentKind } from '../documents/document-entries.ts';
import type { PinnedScript } from './pinned-script.ts';

/** Describes one `<service-embed>` of a page. A missing attribute has the element's default. */
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
  /** Undefined for a public document. */
  readonly token?: string | undefined;
}

/** Replaces a token that the page does not have. The reader fills it in. */
export const TOKEN_PLACEHOLDER = 'EMBED-TOKEN';

type Attribute = readonly [name: string, value: string];

/**
 * Writes the HTML that shows `embed` in any page. `origin` is the address of this server, such as
 * `https://example.com`. With `pinned` the page accepts only that version of the script, and the browser checks its
 * bytes.
 */
export function writeHtmlSnippet(origin: string, embed: Embed, pinned?: PinnedScript): string {
  return `${writeScriptTag(origin, pinned)}\n${writeElementTag(origin, embed, '')}`;
}

function writeScriptTag(origin: string, pinned: PinnedScript | undefined): string {
  if (pinned === undefined) return `<script src="${escapeAttribute(`${origin}/ui/service-embed.js`)}"></script>`;
  return `<script
  src="${escapeAttribute(`${origin}/ui/${pinned.script}`)}"
  integrity="${escapeAttribute(pinned.integrity)}"
  crossorigin="anonymous"
></script>`;
}

/** Writes a module of a React project. JSX decodes HTML entities in attributes, and has no backslash escapes there. */
export function writeReactSnippet(origin: string, embed: Embed): string {
  return `import { ServiceEmbed } from 'service-embed/react';

export function Embed() {
  return (
    <ServiceEmbed${writeAttributes(origin, embed, '      ')}
    />
  );
}`;
}

/** Writes a component of a Vue project. */
export function writeVueSnippet(origin: string, embed: Embed): string {
  return `<script setup>
import { ServiceEmbed } from 'service-embed/vue';
</script>

<template>
  <ServiceEmbed${writeAttributes(origin, embed, '    ')}
  />
</template>`;
}

/** Returns what `npm install` takes: the package on this server, or its name where the version is unknown. */
export function packageAddress(origin: string, pinned: Pick<PinnedScript, 'version'> | undefined): string {
  return pinned === undefined ? 'service-embed' : `${origin}/ui/service-embed-${pinned.version}.tgz`;
}

function writeElementTag(origin: string, embed: Embed, indent: string): string {
  return `${indent}<service-embed${writeAttributes(origin, embed, `${indent}  `)}\n${indent}></service-embed>`;
}

function writeAttributes(origin: string, embed: Embed, indent: string): string {
  return listAttributes(origin, embed)
    .map(([name, value]) => `\n${indent}${name}="${escapeAttribute(value)}"`)
    .join('');
}

function listAttributes(
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

/** Escapes a text for double quotes in HTML, in Vue's templates and in JSX. */
export function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
