/** Tests which questions a certified answer is found for. */
import { describe, expect, it } from 'vitest';
import type { AskElement } from '../../router/ask-source.ts';
import { CertifiedAnswer } from '../../router/certified-answer.ts';
import { certifiedAnswerOf } from './certified.ts';

function element(kind: AskElement['kind'], name: string, label: string, synonyms: readonly string[] = []): AskElement {
  return { kind, name, label, synonyms, description: undefined, instructions: undefined, questions: [], facts: [] };
}

const ELEMENTS = [
  element('metric', 'net_sales', 'Net sales', ['revenue', 'Umsatz']),
  element('metric', 'gross_sales', 'Gross sales', ['turnover']),
  element('metric', 'orders', 'Orders', ['turnover', 'receipts']),
  element('field', 'stores.region', 'Region', ['sales area', 'Gebiet']),
];

const answer = (question: string, ...also: string[]) => CertifiedAnswer.parse({ question, also, request: {} });

const found = async (certified: readonly CertifiedAnswer[], question: string) =>
  (await certifiedAnswerOf({ certified, elements: ELEMENTS }, question))?.question;

describe('a certified answer is found', () => {
  const certified = [answer('What were net sales by region?', 'Umsatz je Gebiet'), answer('How many orders in 2025?')];
  const first = 'What were net sales by region?';

  it.each([
    ['by its own words', 'What were net sales by region?'],
    ['in other letter case, spaces and punctuation', '  what were   NET SALES, by "Region" '],
    ['with a synonym of a metric', 'What were revenue by region?'],
    ['with a synonym of several words', 'What were Umsatz by sales area'],
    ['by another wording', 'umsatz je gebiet'],
    ['by another wording in the words of the elements', 'Net sales je Region'],
    ['in another normal form of Unicode', 'What were net sales by re\u{FF47}ion?'],
  ])('%s', async (_, question) => {
    expect(await found(certified, question)).toBe(first);
  });

  it.each([
    ['with a word more', 'What were net sales by region in 2025?'],
    ['with a word less', 'What were net sales?'],
    ['in another order of the words', 'By region, what were net sales?'],
    ['about another metric', 'What were gross sales by region?'],
    ['with another number', 'How many orders in 2024?'],
    ['without words', '?!'],
    // `turnover` names two metrics, so it names none.
    ['with a name of two elements', 'How many turnover in 2025?'],
  ])('not %s', async (_, question) => {
    expect(await found(certified, question)).toBeUndefined();
  });

  it('not where two answers have the wording', async () => {
    expect(await found([answer('Net sales?'), answer('Revenue?')], 'Umsatz')).toBeUndefined();
  });
});
