import { describe, expect, it } from 'vitest';
import { nameWords } from '../../../router/name-words.ts';
import { endsWith, splitKeyName } from './column-names.ts';

describe('names', () => {
  it.each([
    ['ShipToCustomerID', ['ship', 'to', 'customer', 'id']],
    ['order_categories', ['order', 'category']],
    ['status', ['status']],
    ['BOXES', ['box']],
  ])('%s has the words %j', (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });

  it.each([
    ['customer_id', ['customer'], true],
    ['custid', ['cust'], true],
    ['salary_paid', ['salary', 'paid'], false],
    ['valid', ['valid'], false],
    ['fk_store', ['store'], true],
    ['turkey', ['turkey'], false],
    ['Kundennr', ['kunden'], true],
    ['auftragsnummer', ['auftrag'], true],
  ])('%s means %j', (name, stem, isKeyName) => {
    expect(splitKeyName(name)).toEqual({ stem, isKeyName });
  });

  it('end with a subject, in full, as a role and abbreviated', () => {
    expect(endsWith(['customer'], ['customer'])).toBe(1);
    expect(endsWith(['ship', 'to', 'customer'], ['customer'])).toBe(1);
    expect(endsWith(['dept'], ['department'])).toBeGreaterThan(0.5);
    expect(endsWith(['store'], ['customer'])).toBe(0);
    expect(endsWith(['store'], ['store', 'ragged'])).toBeLessThan(endsWith(['store'], ['store']));
  });
});
