import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TreeCopy } from '../../scripts/testing/tree-copy.ts';

const sources = new URL('../src/', import.meta.url);

/** Lists the examples in the docstrings of a file. */
function readExamples(file: string): readonly string[] {
  const text = readFileSync(new URL(file, sources), 'utf8');
  return [...text.matchAll(/@example\n \* ```tsx?\n([\s\S]*?)\n \* ```/g)].map(([, lines = '']) =>
    lines.replace(/^ \* ?/gm, ''),
  );
}

test('the examples of the public API compile', () => {
  const tree = new TreeCopy('element-examples', ['element/src']);
  const examples = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readExamples(file).map((text) => ({ file, text })));
  expect(new Set(examples.map(({ file }) => file))).toEqual(
    new Set([
      'api/filter-state.ts',
      'api/filter.ts',
      'element.ts',
      'events.ts',
      'index.ts',
      'react/index.ts',
      'ssr/render-to-string.ts',
      'types.ts',
      'vue/index.ts',
    ]),
  );
  for (const [index, { file, text }] of examples.entries()) {
    const extension = file === 'react/index.ts' ? 'tsx' : 'ts';
    tree.write(`examples/${index}.${extension}`, `${text}\nexport {};\n`);
  }
  const paths = {
    'service-embed': ['./element/src/index.ts'],
    'service-embed/element': ['./element/src/element.ts'],
    'service-embed/react': ['./element/src/react/index.ts'],
    'service-embed/ssr': ['./element/src/ssr/index.ts'],
    'service-embed/vue': ['./element/src/vue/index.ts'],
  };
  expect(tree.errorsIn(['examples'], { paths, noUnusedLocals: false, jsx: 'react-jsx' })).toEqual([]);
}, 60_000);
