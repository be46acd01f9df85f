import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ServiceEmbed } from '../src/element.ts';

const root = new URL('../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('custom-elements.json', root), 'utf8'));
const [declaration] = manifest.modules[1].declarations;
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();

/** All sources of the element as one text. */
const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(new URL(`src/${file}`, root), 'utf8'))
  .join('\n');

function matchSources(pattern: RegExp): readonly string[] {
  return [...new Set([...sources.matchAll(pattern)].flatMap(([, name = '']) => name.split(' ')))].sort();
}

test('the manifest has every attribute that the element observes, and no other', () => {
  expect(names(declaration.attributes)).toEqual([...ServiceEmbed.observedAttributes].sort());
});

test('the manifest has every event, part, slot and custom property that the sources have, and no other', () => {
  expect(names(declaration.events)).toEqual(matchSources(/'(service-(?!embed)[a-z-]+)': CustomEvent/g));
  // `tile tile-${kind}` is one of these.
  const parts = matchSources(/ part="([a-z -]+)(?:\$\{[^}]*\})?"/g).filter((part) => part !== 'tile-');
  const tiles = ['tile-text', 'tile-chart', 'tile-kpi', 'tile-filter', 'tile-unsupported'];
  expect(names(declaration.cssParts)).toEqual([...new Set([...parts, ...tiles])].sort());
  expect(names(declaration.slots)).toEqual(matchSources(/<slot name="([a-z]+)"/g));
  const properties = matchSources(/var\((--service-embed-[a-z-]+\d?)/g).filter((name) => !/chart-/.test(name));
  const series = Array.from({ length: 8 }, (_, index) => `--service-embed-chart-${index + 1}`);
  expect(names(declaration.cssProperties)).toEqual([...properties, ...series].sort());
});
