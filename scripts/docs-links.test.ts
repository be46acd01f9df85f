import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'demo/README.md',
  'element/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|\.vitepress)\//.test(file))
    .map((file) => join('docs', file)),
];

interface Link {
  /** Returns the page that the link leads to, from the root of the repository. */
  readonly target: string;
  readonly anchor: string | undefined;
}

/** Lists the links of a page that lead to files of this repository. Text in code is no link. */
function internalLinks(page: string): readonly Link[] {
  const text = withoutCode(readFileSync(page, 'utf8'));
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href|srcset)="([^"]+)"/g)]
    .map(([, markdown, html]) => markdown ?? html ?? '')
    .filter((address) => !/^(https?|mailto):/.test(address))
    .map((address) => {
      const [path = '', anchor] = address.split('#');
      return { target: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/** Lists the anchors of a page's headings, as GitHub writes them. */
function headingAnchors(page: string): ReadonlySet<string> {
  const headings = readFileSync(page, 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(PAGES)('the links of %s lead to existing files and headings', (page) => {
  const broken = internalLinks(page).filter(
    ({ target, anchor }) =>
      !existsSync(target) || (anchor !== undefined && target.endsWith('.md') && !headingAnchors(target).has(anchor)),
  );
  expect(broken).toEqual([]);
});

test('every page of the documentation is reachable from the README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached)
    for (const { target } of internalLinks(page)) if (target.endsWith('.md') && existsSync(target)) reached.add(target);
  expect(PAGES.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});
