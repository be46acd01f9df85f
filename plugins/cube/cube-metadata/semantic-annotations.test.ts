import { describe, expect, it } from 'vitest';
import { annotationsOf } from './semantic-annotations.ts';

const read = (annotations: Readonly<Record<string, string>>, description?: string) =>
  annotationsOf({ annotations: new Map(Object.entries(annotations)), description });

describe('annotations of a cube schema', () => {
  it('win over the description of the element, and synonyms are listed either way', () => {
    expect(
      read({ 'service.semantic.description': 'Money.', 'service.semantic.synonyms': 'revenue, turnover' }, 'x'),
    ).toMatchObject({
      description: 'Money.',
      synonyms: ['revenue', 'turnover'],
    });
    expect(read({ 'service.semantic.synonyms': '["a, b", "c"]' }, 'x')).toMatchObject({
      description: 'x',
      synonyms: ['a, b', 'c'],
    });
    expect(read({ 'service.semantic.required_filters': '[Time].[Year]' }).requiredFilters).toEqual(['[Time].[Year]']);
  });

  it('take a unit from a unit or a currency', () => {
    expect(read({ 'service.semantic.currency': 'EUR' }).unit).toBe('EUR');
    expect(read({ 'service.semantic.currency': 'EUR', 'service.semantic.unit': 'kEUR' }).unit).toBe('kEUR');
  });

  it.each([
    ['true', true],
    ['TRUE', true],
    ['yes', true],
    ['ture', true],
    ['false', false],
    ['No', false],
    ['0', false],
  ])('mark personal data by %s: %s', (text, pii) => {
    expect(read({ 'Service.Semantic.PII': text })).toMatchObject({ pii, piiStated: true });
  });

  it('of other products are ignored', () => {
    expect(read({ 'caption.de_DE': 'Umsatz' })).toEqual({
      description: undefined,
      synonyms: [],
      unit: undefined,
      aggregationKind: undefined,
      cardinality: undefined,
      grain: undefined,
      requiredFilters: [],
      pii: false,
      piiStated: false,
    });
  });
});
