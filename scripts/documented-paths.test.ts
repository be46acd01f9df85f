import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

const readmes = ['element/src', 'plugins', 'router', 'server'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)README\.md$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`),
);

/** Lists the names of all types and classes of the product. */
const declared = new Set(
  ['element/src', 'plugins', 'router', 'server']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm),
    ])
    .map(([, name = '']) => name),
);

/** Lists the texts in backticks that look like a file or folder of the tree, without patterns and examples. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, word = '']) => word)
    .filter((word) => /^[\w.@-]+(\/[\w.@-]+)*(\/|\.(ts|mjs|cjs|md|json))$/.test(word));
}

test('every path that CONTRIBUTING names exists', () => {
  // A bare name is a file that the reader is going to make.
  const paths = pathsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).filter((path) => path.includes('/'));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  { file: 'docs/architecture.md', folder: 'element/src' },
  ...readmes.map((file) => ({ file, folder: dirname(file) })),
])('every path that $file names exists', ({ file, folder }) => {
  const below = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => basename(path));
  const missing = pathsIn(readFileSync(join(root, file), 'utf8')).filter(
    (path) =>
      ![root, join(root, folder)].some((from) => existsSync(join(from, path))) &&
      !below.includes(path.replace(/\/$/, '')),
  );
  expect(missing).toEqual([]);
});

/** Lists the texts in backticks that look like a type name: several words, each with a capital. */
function typesIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:[A-Z][a-z]+){2,})`/g)].map(([, name = '']) => name);
}

test.each(['docs/architecture.md', ...readmes])('every type that %s names exists', (file) => {
  const missing = typesIn(readFileSync(join(root, file), 'utf8')).filter((name) => !declared.has(name));
  expect(missing).toEqual([]);
});

/** Lists the rows of the table "Where to find things": the file, and the name that it exports. */
function whereIsRows(): readonly (readonly [string, string])[] {
  const [, section = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split(
    '\n## Where to find things\n',
  );
  const table = section.split('\n## ')[0] ?? '';
  return [...table.matchAll(/^\|[^|]+\| `([^`]+)` \| `(\w+)` \|$/gm)].map(([, file = '', name = '']) => [file, name]);
}

test('the table "Where to find things" has at least thirty rows', () => {
  expect(whereIsRows().length).toBeGreaterThanOrEqual(30);
});

test.each(whereIsRows())('%s exports %s, as the table "Where to find things" says', (file, name) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(text).toMatch(
    new RegExp(`^export (default )?(async )?(abstract )?(function\\*?|class|const) ${name}\\b`, 'm'),
  );
});
