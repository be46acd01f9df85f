/** Tests that the HTML of each page agrees with the table of pages. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_LIST, pageSource } from './pages.ts';

it.each(PAGE_LIST.map((page) => [page.path, page] as const))('%s has its title, and marks its link', (_, page) => {
  const html = readFileSync(new URL(`../../${pageSource(page)}`, import.meta.url), 'utf8');
  expect(html).toContain(`<title>${page.title}</title>`);
  const current = /<ui-top-bar current="([\w-]+)"/.exec(html)?.[1];
  // The home page sets the mark in its own element, and a page without a link has none.
  if (page.name !== 'home') expect(current).toBe(page.link === undefined ? undefined : page.name);
});
