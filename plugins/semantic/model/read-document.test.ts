import { describe, expect, it } from 'vitest';
// The same error messages as in the product.
import '../../../router/schema-messages.ts';
import { readDocument } from './read-document.ts';

function problems(text: string, modelName?: string) {
  const read = readDocument(text, modelName);
  return 'problems' in read ? read.problems.map(({ message, line }) => [line, message]) : [];
}

const MODEL = `
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: main.sales
        fields:
          - name: amount
            expression:
              - { dialect: ANSI_SQL, expression: amount }
`;

describe('a document', () => {
  it('without a version and with bare lists of expressions reads as the 1.0 draft', () => {
    const read = readDocument(MODEL, undefined);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    expect(read.model.datasets[0]?.fields?.[0]?.expression.dialects).toEqual([
      { dialect: 'ANSI_SQL', expression: 'amount' },
    ]);
    expect(read.locator.lineOf([...read.place, 'datasets', 0, 'fields', 0])).toBe(8);
    expect(read.locator.nameOf([...read.place, 'datasets', 0, 'fields', 0, 'expression'])).toBe(
      'dataset sales, field amount',
    );
  });

  it('may be JSON, and may hold its model under ontology_mappings as an object', () => {
    const model = { name: 'm', datasets: [{ name: 'd', source: 't' }] };
    const json = JSON.stringify({
      version: '0.2.0.dev0',
      ontology: [{ concept: 'A' }],
      ontology_mappings: [{ semantic_model: model }],
    });
    expect(readDocument(json, 'm')).toMatchObject({ model: { name: 'm' }, ontology: [{ concept: 'A' }] });
  });

  it('with a quoted text that closes too far left still reads, on its own lines', () => {
    const text = `${MODEL}    custom_extensions:\n      - vendor_name: X\n        data: '{\n          "a": 1\n        }'\n    metrics: 7\n`;
    expect(problems(text)).toEqual([[16, 'metrics must be of type array.']]);
  });

  it('that is broken is reported with its line', () => {
    expect(problems('a: "x\nb: 1\n')[0]?.[1]).toContain('not readable YAML');
    expect(problems('version: 0.3\n')).toEqual([[1, expect.stringContaining('version 0.3 is not one')]]);
    expect(problems('')).toEqual([[1, expect.stringContaining('top level')]]);
    expect(problems('other: 1')).toEqual([[1, expect.stringContaining('no semantic_model')]]);
    expect(problems(MODEL.replace('source: main.sales', 'note: x'))).toEqual([
      [5, 'dataset sales: source is missing.'],
    ]);
    expect(problems('semantic_model:\n  - name: m\n    datasets: []')).toEqual([
      [3, 'datasets is empty; it needs at least one.'],
    ]);
  });

  it('with several models needs the name of one', () => {
    const two =
      'semantic_model: [{name: a, datasets: [{name: d, source: t}]}, {name: b, datasets: [{name: d, source: t}]}]';
    expect(problems(two)).toEqual([[1, expect.stringContaining('a, b')]]);
    expect(readDocument(two, 'b')).toMatchObject({ model: { name: 'b' } });
    expect(problems(two, 'c')).toEqual([[1, expect.stringContaining('no semantic model called c')]]);
  });

  it('that expands aliases without end is refused', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((letter, index) => {
        const before = 'abcdefg'[index];
        return `${letter}: &${letter} [${Array(10).fill(`*${before}`).join(',')}]`;
      }),
    ].join('\n');
    expect(problems(bomb)).toEqual([[undefined, expect.stringContaining('cannot be read')]]);
  });
});
