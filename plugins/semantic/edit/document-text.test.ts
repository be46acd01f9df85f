import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { appendValue, removeValue, setValue, UnchangeableError } from './document-text.ts';

const YAML = `# Head
metrics:
  # Money
  - name: sales   # keep me
    expression: { dialects: [{ dialect: ANSI_SQL, expression: "SUM(a.b)" }] }

  - name: cost
    description: >-
      What it
      costs.
    data: '{"a":1}'
`;

describe('a YAML document', () => {
  it('gets a new member after its name, and everything else stays', () => {
    expect(setValue(YAML, ['metrics', 0, 'label'], 'Sales, net')).toBe(
      YAML.replace('# keep me\n', '# keep me\n    label: Sales, net\n'),
    );
  });

  it('gets a changed value in its place and in its quotes', () => {
    const place = ['metrics', 0, 'expression', 'dialects', 0, 'expression'];
    expect(setValue(YAML, place, 'SUM(a.c)')).toBe(YAML.replace('SUM(a.b)', 'SUM(a.c)'));
  });

  it('keeps a folded text folded', () => {
    expect(setValue(YAML, ['metrics', 1, 'description'], 'Money spent.')).toBe(
      YAML.replace('      What it\n      costs.\n', '      Money spent.\n'),
    );
  });

  it('keeps single quotes around JSON', () => {
    expect(setValue(YAML, ['metrics', 1, 'data'], '{"b":"it\'s"}')).toBe(YAML.replace(`'{"a":1}'`, `'{"b":"it''s"}'`));
  });

  it('loses a member with its lines only', () => {
    expect(removeValue(YAML, ['metrics', 1, 'description'])).toBe(
      YAML.replace('    description: >-\n      What it\n      costs.\n', ''),
    );
  });

  it('loses an entry of a list with its lines only', () => {
    expect(removeValue(YAML, ['metrics', 1])).toBe(YAML.slice(0, YAML.indexOf('  - name: cost')));
  });

  it('gets an entry at the end of a list', () => {
    expect(appendValue(YAML, ['metrics'], { name: 'rate', expression: 'a / b' })).toBe(
      `${YAML}  - name: rate\n    expression: a / b\n`,
    );
  });

  it('gets a list that was missing', () => {
    expect(appendValue('name: x\n', ['parts'], { vendor_name: 'SERVICE', data: '{"a":"b"}' })).toBe(
      `name: x\nparts:\n  - vendor_name: SERVICE\n    data: '{"a":"b"}'\n`,
    );
  });

  it('keeps texts that look like other types as texts', () => {
    for (const text of ['yes', '12', 'null', '- a', 'a: b', 'a #b', '', ' a', '{x', "it's", 'line\nbreak', '"', '@a']) {
      expect(parse(setValue('b: [1, 2]\n', ['b', 0], text))).toEqual({ b: [text, 2] });
      expect(parse(setValue('a: 1\nb: c\n', ['b'], text))).toEqual({ a: 1, b: text });
    }
    expect(setValue('a: old\n', ['a'], 'yes')).toBe('a: "yes"\n');
    expect(setValue('a: { b: c }\n', ['a', 'b'], 'x, y')).toBe('a: { b: "x, y" }\n');
  });

  it('keeps the line ends of its author', () => {
    expect(setValue('a:\r\n  name: x\r\n', ['a', 'label'], 'Other')).toBe('a:\r\n  name: x\r\n  label: Other\r\n');
  });

  it('refuses to change a value that another place shares', () => {
    expect(() => setValue('a: &x { b: 1 }\nc: *x\n', ['c', 'b'], 2)).toThrow(UnchangeableError);
  });
});

describe('a JSON document', () => {
  it('keeps its order, its indentation and its end', () => {
    const json = '{\n    "b": 1,\n    "a": {\n        "name": "x"\n    }\n}';
    expect(setValue(json, ['a', 'label'], 'y')).toBe(json.replace('"x"', '"x",\n        "label": "y"'));
  });
});
