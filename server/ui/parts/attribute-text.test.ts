import { expect, test } from 'vitest';
import { type AttributeTextError, formatAttributes, parseAttributes } from './attribute-text.ts';

test.each([
  ['regions = South, North', { regions: ['South', 'North'] }],
  ['level = 3\n\nis_lead = true', { level: [3], is_lead: [true] }],
  ['code = "007", "true", "a, ""b"""', { code: ['007', 'true', 'a, "b"'] }],
  ['code = 007', { code: ['007'] }],
  ['nothing =', { nothing: [] }],
])('%j is read as %j, and written so that it is read again', (text, attributes) => {
  expect(parseAttributes(text)).toEqual(attributes);
  expect(parseAttributes(formatAttributes(attributes))).toEqual(attributes);
});

test.each([
  ['a = 1\nregions', 2],
  ['= South', 1],
  ['a = "open', 1],
  ['a = b"c', 1],
])('the line of a mistake in %j is named', (text, line) => {
  expect(() => parseAttributes(text)).toThrow(expect.objectContaining({ line }) as AttributeTextError);
});
