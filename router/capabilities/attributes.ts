/** Attributes of callers: values that the viewer filters of models and cubes compare with. */
import { z } from 'zod';
import { list } from '../bounded.ts';

const MAX_ATTRIBUTES = 32;
/** Most values of one attribute. */
export const MAX_ATTRIBUTE_VALUES = 1_000;
/** Most values of all attributes of a caller together. */
const MAX_ALL_ATTRIBUTE_VALUES = 2_000;
const MAX_ATTRIBUTE_TEXT = 256;
/** No name begins with two underscores, as JavaScript's own members do. */
const ATTRIBUTE_NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** Returns whether a text can name an attribute. */
export function isAttributeName(text: string): boolean {
  return ATTRIBUTE_NAME.test(text);
}

export const AttributeName = z
  .string()
  .regex(ATTRIBUTE_NAME, 'has to be a name of 1 to 64 letters, digits, _ and -, which begins with a letter or _');

const AttributeValue = z.union([z.string().max(MAX_ATTRIBUTE_TEXT), z.number(), z.boolean()]);
export type AttributeValue = z.infer<typeof AttributeValue>;

/** The values of a caller by attribute. An attribute without values selects no row, as a missing attribute does. */
export type Attributes = Readonly<Record<string, readonly AttributeValue[]>>;

/** Values of one attribute. One value may stand without a list. */
const AttributeValues = z.union([AttributeValue, list(AttributeValue, MAX_ATTRIBUTE_VALUES)]);

export const AttributesSchema = z
  .record(AttributeName, AttributeValues)
  .refine((attributes) => Object.keys(attributes).length <= MAX_ATTRIBUTES, {
    error: `There are at most ${MAX_ATTRIBUTES} attributes.`,
  })
  .refine((attributes) => countValues(attributes) <= MAX_ALL_ATTRIBUTE_VALUES, {
    error: `The attributes have at most ${MAX_ALL_ATTRIBUTE_VALUES} values in all.`,
  });

/** Attributes as a caller writes them. */
type WrittenAttributes = z.infer<typeof AttributesSchema>;

function countValues(attributes: Readonly<Record<string, AttributeValue | readonly AttributeValue[]>>): number {
  return Object.values(attributes).reduce<number>((sum, values) => sum + [values].flat().length, 0);
}

/** Returns attributes with a list for each, each value once. */
export function attributesFrom(written: WrittenAttributes): Attributes {
  return Object.fromEntries(Object.entries(written).map(([name, values]) => [name, [...new Set([values].flat())]]));
}

/** Returns a text that is equal for the same attributes and values in any order. */
export function attributesKey(attributes: Attributes | undefined): string {
  if (attributes === undefined) return '';
  const sorted = Object.entries(attributes)
    .map(([name, values]) => [name, valuesInOrder(values)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sorted.length === 0 ? '' : JSON.stringify(sorted);
}

function valuesInOrder(values: readonly AttributeValue[]): readonly AttributeValue[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...byText].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);
}
