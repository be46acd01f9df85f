import { describe, expect, it } from 'vitest';
import { readAiContext, readExtensions } from './extensions.ts';

const vendor = (data: unknown, vendor_name = 'SERVICE') => [
  { vendor_name, data: typeof data === 'string' ? data : JSON.stringify(data) },
];

describe('a mark of personal data', () => {
  it.each([
    ['a key of the element', { pii: true }, undefined, true],
    ['a level', { pii: { level: 'high' } }, undefined, true],
    ['a text', { pii: 'yes' }, undefined, true],
    ['another vendor', {}, vendor({ pii: true }, 'SNOWFLAKE'), true],
    ['deep inside another vendor', {}, vendor({ tags: [{ governance: { PII: 'email' } }] }, 'X'), true],
    ['data that does not parse but says so', {}, vendor('{pii: true', 'X'), true],
    ['nobody', {}, vendor({ color: 'red' }, 'X'), undefined],
    ['an explicit no', {}, vendor({ pii: false }), false],
    ['a no of ours against a yes of theirs', {}, [...vendor({ pii: false }), ...vendor({ pii: true }, 'X')], true],
  ])('by %s', (_, element, extensions, expected) => {
    expect(readExtensions(element, extensions).pii).toBe(expected);
  });
});

it('display, roles and the counted dataset come from the vendor SERVICE in any letter case', () => {
  const facts = readExtensions(
    {},
    vendor(
      { display: { caption: 'Net', format: '#,##0', unit: 'EUR' }, roles: { deny: ['ROLE_X'] }, dataset: 'sales' },
      'Service',
    ),
  );
  expect(facts).toMatchObject({
    display: { caption: 'Net', format: '#,##0', unit: 'EUR', hidden: false },
    roles: { allow: undefined, deny: ['ROLE_X'] },
    dataset: 'sales',
    mistakes: [],
  });
});

describe('the extension', () => {
  it.each([
    ['of another vendor', vendor({ color: 'red' }, 'DBT'), 1],
    ['that says it is public', vendor({ visibility: 'public' }, 'DBT'), 1],
    ['with plain text as data', vendor('owned by finance', 'DBT'), 1],
    ['with data that is not an object', vendor('"note"', 'DBT'), 1],
    ['that is internal', vendor({ visibility: 'Internal', secret: 1 }, 'DBT'), 0],
    ['that does not read but says internal', vendor("{'visibility': 'internal'}", 'DBT'), 0],
    ['of ours, which is understood', vendor({ display: { caption: 'A' } }), 0],
  ])('%s', (_, extensions, shown) => {
    expect(readExtensions({}, extensions).extensions).toEqual(shown === 1 ? extensions : []);
  });
});

it('an unreadable block of ours is a mistake, because it may hide something', () => {
  expect(readExtensions({}, vendor('{not json')).mistakes).toHaveLength(1);
  expect(readExtensions({}, vendor({ roles: { deny: 7 } })).mistakes).toHaveLength(1);
});

it('a context in words is a list of synonyms or an instruction', () => {
  expect(readAiContext('orders, purchases, sales').synonyms).toEqual(['orders', 'purchases', 'sales']);
  expect(readAiContext('Use this one for revenue, unless gross is asked for.')).toMatchObject({ synonyms: [] });
  expect(readAiContext({ synonyms: ['a'], instructions: 'b', examples: ['How many c?'] })).toEqual({
    synonyms: ['a'],
    instructions: 'b',
    aiExamples: ['How many c?'],
  });
});
