/** Tests that the HTML of each page agrees with the table of pages, and which page an address shows. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_LIST, pageAt, pageSource } from './pages.ts';

it.each(PAGE_LIST.map((page) => [page.path, page] as const))(
  '%s has its title, and names itself to the frame',
  (_, page) => {
    const html = readFileSync(new URL(`../../${pageSource(page.name)}`, import.meta.url), 'utf8');
    expect(html).toContain(`<title>${page.title}</title>`);
    expect(/<ui-frame current="([\w-]+)"/.exec(html)?.[1]).toBe(page.name);
  },
);

it.each(PAGE_LIST.map((page) => [page.path, page] as const))('%s is at its address, or only below it', (path, page) => {
  expect(pageAt(path) === page.name).toBe(!('below' in page && page.below === 'only'));
});

it.each(['/ui/api/deeper', '/ui/nothing/', '/ui', '/', '/ui/add-data'])('there is no page at %s', (path) => {
  expect(pageAt(path)).toBeUndefined();
});
