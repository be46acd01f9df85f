import { describe, expect, it } from 'vitest';
import { jsonElements, jsonMember } from './raw-json.ts';

describe('a JSON array', () => {
  it('is split into the texts of its elements, with any contents', () => {
    expect(jsonElements('[1, "a, b", {"c":[2,3]}, [[]], null, -1.50]')).toEqual([
      '1',
      '"a, b"',
      '{"c":[2,3]}',
      '[[]]',
      'null',
      '-1.50',
    ]);
    expect(jsonElements('[]')).toEqual([]);
    expect(jsonElements('[ ]')).toEqual([]);
    expect(jsonElements('[""]')).toEqual(['""']);
  });

  it('may contain brackets, commas, quotes and backslashes in its texts', () => {
    const texts = ['],[', '"', '\\', '\\"', 'a\\\\', '{"x":1}', '\u2028'];
    expect(jsonElements(JSON.stringify(texts)).map((text) => JSON.parse(text))).toEqual(texts);
  });

  it('keeps every digit of a number', () => {
    expect(jsonElements('[9007199254740993,1234567890123456789.0123456789,1e300]')).toEqual([
      '9007199254740993',
      '1234567890123456789.0123456789',
      '1e300',
    ]);
  });

  it('that does not end is a broken answer', () => {
    expect(() => jsonElements('[1,"a')).toThrow('does not end');
    expect(() => jsonElements('[1,[2]')).toThrow('does not end');
    expect(() => jsonElements('Code: 60')).toThrow('not a JSON array');
  });
});

describe('a member of a JSON object', () => {
  it('is found by its name at the top level, not inside another member or among the values', () => {
    const text = '{"id":"data","stats":{"data":[0]},"x":["data"],"data" : [[9007199254740993,"}"]],"data2":1}';
    expect(jsonMember(text, 'data')).toBe('[[9007199254740993,"}"]]');
    expect(jsonMember(text, 'data2')).toBe('1');
    expect(jsonMember(text, 'id')).toBe('"data"');
    expect(jsonMember(text, 'nothing')).toBeUndefined();
  });
});
