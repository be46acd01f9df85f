import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../src/markdown/parse-markdown.ts';

const text = (value: string) => ({ kind: 'text', text: value });
const paragraph = (...content: readonly object[]) => ({ kind: 'paragraph', content });

test('blocks are read in their order', () => {
  const written = `# Sales
First line
second line

- one
- two
  - inner
1. first

> quoted

---
\`\`\`
a <b>
\`\`\``;
  expect(parseMarkdown(written)).toEqual([
    { kind: 'heading', level: 1, content: [text('Sales')] },
    paragraph(text('First line\nsecond line')),
    {
      kind: 'list',
      isOrdered: false,
      items: [
        [paragraph(text('one'))],
        [paragraph(text('two')), { kind: 'list', isOrdered: false, items: [[paragraph(text('inner'))]] }],
      ],
    },
    { kind: 'list', isOrdered: true, items: [[paragraph(text('first'))]] },
    { kind: 'quote', blocks: [paragraph(text('quoted'))] },
    { kind: 'rule' },
    { kind: 'code', text: 'a <b>' },
  ]);
});

test.each([
  [
    '**bold** and *italics*',
    [{ kind: 'strong', content: [text('bold')] }, text(' and '), { kind: 'em', content: [text('italics')] }],
  ],
  ['**a *b* c**', [{ kind: 'strong', content: [text('a '), { kind: 'em', content: [text('b')] }, text(' c')] }]],
  ['2 * 3 * 4', [text('2 '), text('*'), text(' 3 '), text('*'), text(' 4')]],
  ['snake_case_name', [text('snake_case_name')]],
  ['_so_', [{ kind: 'em', content: [text('so')] }]],
  ['*open', [text('*'), text('open')]],
  ['\\*not\\*', [text('*'), text('not'), text('*')]],
  ['`a*b*`', [{ kind: 'code', text: 'a*b*' }]],
  [
    '[docs](https://example.com/a?b=c)',
    [{ kind: 'link', address: 'https://example.com/a?b=c', content: [text('docs')] }],
  ],
])('%s is read inside a line', (written, content) => {
  expect(parseMarkdown(written)).toEqual([paragraph(...content)]);
});

describe('what could run stays text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<b onclick=x>a</b>',
    '[a](javascript:alert)',
    '[a](data:text/html,x)',
    '![a](x.png)',
  ])('%s', (written) => {
    expect(parseMarkdown(written)).toEqual([paragraph(text(written))]);
  });
});

test('the longest text of a tile in the worst forms is read in bounded steps, and nothing is lost', () => {
  for (const part of ['*', '**a', '_a ', '> ', '- ', '[', '`', '# ', '\\']) {
    const written = part.repeat(Math.floor(20_000 / part.length));
    expect(JSON.stringify(parseMarkdown(written)).length).toBeLessThan(written.length * 60);
  }
});
