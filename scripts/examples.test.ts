import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TreeCopy } from './testing/tree-copy.ts';

const root = new URL('../', import.meta.url);

/** Lists the examples in the docstrings of a file. */
function examplesOf(file: string): readonly string[] {
  const text = readFileSync(new URL(file, root), 'utf8');
  return [...text.matchAll(/@example\n \* ```ts\n([\s\S]*?)\n \* ```/g)].map(([, lines = '']) =>
    lines.replace(/^ \* ?/gm, ''),
  );
}

test('the examples of the typed client and of the frame compile', () => {
  const tree = new TreeCopy('frame-examples', ['router', 'plugins', 'server', 'package.json']);
  for (const [index, file] of ['server/client.ts', 'router/operation.ts', 'router/plugin.ts'].entries()) {
    const examples = examplesOf(file);
    expect(examples, file).toHaveLength(1);
    for (const text of examples) tree.write(`examples/${index}.ts`, `${text}\nexport {};\n`);
  }
  tree.write('examples/quick-start.ts', readFileSync(new URL('docs/examples/client/quick-start.ts', root), 'utf8'));
  const paths = { 'service/client': ['./server/client.ts'] };
  expect(tree.errorsIn(['examples'], { paths })).toEqual([]);
}, 300_000);
