import { expect, it } from 'vitest';
import { personalByValues } from './index.ts';

it.each([
  ['names of persons', ['Anna Meyer', 'Ben Schmidt', 'Eva Koch']],
  ['names of persons', ['Meyer, Anna', 'Schmidt, Ben', 'Xi, Qu']],
  ['names of persons', ['MEYER/ANNA', 'SMITH/JOHN', 'BROWN/MARY']],
  ['names of persons', ['Dr. Karin van der Berg', 'Peter Müller-Lüdenscheid']],
  ['names of persons', ['Anna', 'Ben', 'Clara', 'Felix']],
  // Names of products, companies, places and cities with a given name among them.
  [undefined, ['Weber Grill', 'Bosch Bohrer', 'Anna Vase']],
  [undefined, ['Karl Meyer GmbH', 'Peter Koch KG', 'Anna Bau AG']],
  [undefined, ['Paris', 'Florence', 'Austin', 'Sydney']],
  [undefined, ['New York', 'San Jose', 'Santa Maria']],
  [undefined, ['Herd 5', 'Anna 3']],
  [undefined, ['Charlotte', 'Madison']],
] as const)('%s: %j', (content, values) => {
  expect(personalByValues([...values])).toBe(content);
});

it('of a column that is called after persons, fewer common names are enough', () => {
  const values = ['Ngozi Okafor', 'Anna Meyer', 'Yuki Tanaka', 'Ben Koch', 'Aoife Byrne'];
  expect(personalByValues(values)).toBeUndefined();
  expect(personalByValues(values, true)).toBe('names of persons');
});
