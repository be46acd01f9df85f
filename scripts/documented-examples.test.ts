import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const EXAMPLES: readonly string[] = readdirSync('docs/examples', { recursive: true, encoding: 'utf8' })
  .map((file) => join('docs/examples', file))
  .filter((file) => statSync(file).isFile());
const PAGES = ['start', 'guide'].flatMap((folder) =>
  readdirSync(`docs/${folder}`)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${folder}/${file}`),
);
/** Languages of programs, requests and documents, which a test can run. Terminal commands are not included. */
const RUNNABLE: ReadonlySet<string> = new Set(['json', 'yaml', 'python', 'ts', 'tsx', 'vue', 'js', 'html', 'xml']);
/** Pages with blocks that are not files, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'docs/guide/agents.md': 'demo/agent/config-snippets.test.ts connects with each configuration of the page',
  'docs/guide/embedding.md': 'the box for questions needs a token and a language model',
  'docs/guide/embedding-svelte-angular.md': 'templates of frameworks that no test builds',
  'docs/guide/viewers.md': 'two lines of docs/examples/semantic/roles.yaml',
  'docs/guide/tenants.md': 'one element; docs/guide/embedding.md has it as an example that runs',
};

interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

/** Lists the blocks of a page. `run` marks one that demo/e2e/docs.e2e.ts runs, a comment one that a test finds by its name. */
function unmarkedBlocks(page: string): readonly Block[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/(?<!<!-- example: [\w ]+ -->\n)^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, language = '', code = '']) => ({ page, language, code }));
}

test('every program, request and document in the guides is a file of docs/examples, or a test runs it from the page', () => {
  const contents = new Set(EXAMPLES.map((file) => readFileSync(file, 'utf8')));
  const unknown = PAGES.filter((page) => EXCEPTIONS[page] === undefined)
    .flatMap(unmarkedBlocks)
    .filter(({ language, code }) => RUNNABLE.has(language) && !contents.has(code));
  expect(unknown).toEqual([]);
});

test('every example is shown or linked in a page', () => {
  const texts = PAGES.map((page) => readFileSync(page, 'utf8'));
  const hidden = EXAMPLES.filter((file) => {
    const content = readFileSync(file, 'utf8');
    const address = file.replace('docs/', '../');
    return !texts.some((text) => text.includes(content) || text.includes(`](${address})`));
  });
  expect(hidden).toEqual([]);
});

test('every exception is a page with such blocks', () => {
  for (const page of Object.keys(EXCEPTIONS))
    expect(
      unmarkedBlocks(page).filter(({ language }) => RUNNABLE.has(language)),
      page,
    ).not.toEqual([]);
});
