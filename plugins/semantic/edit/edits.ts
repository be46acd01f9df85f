/**
 * The edits of a model document: the closed table of properties that can be set, and the operations. Types, schemas and the
 * API reference are made from them.
 */
import { z } from 'zod';
import { list, Name } from '../../../router/bounded.ts';
import { CertifiedAnswer } from '../../../router/certified-answer.ts';
import { MAX_NAME_LENGTH } from '../../../router/limits.ts';

/** The most edits of one call: each reads the document again. */
const MAX_EDITS = 100;
const MAX_SYNONYMS = 100;
const MAX_ROLES = 100;
const MAX_COLUMNS = 16;

const NewName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A name has letters, digits and _, and begins with a letter or _.')
  .max(MAX_NAME_LENGTH);
const Text = z.string().trim().min(1).max(4_000);
const Expression = z.string().trim().min(1).max(10_000);
const Roles = list(z.string().trim().min(1).max(MAX_NAME_LENGTH), MAX_ROLES);
const Columns = list(Name.min(1), MAX_COLUMNS).min(1);

export const TARGET_KINDS = ['model', 'dataset', 'field', 'metric', 'relationship'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The place of a property in its element. */
export type PropertyHome =
  /** A member of the element. */
  | { readonly in: 'element'; readonly key: string }
  /** A member of `ai_context`. */
  | { readonly in: 'ai_context'; readonly key: 'synonyms' | 'instructions' }
  /** A member of the data of our vendor block. */
  | { readonly in: 'extension'; readonly path: readonly [string, ...string[]] }
  | { readonly in: 'label' }
  | { readonly in: 'expression' }
  | { readonly in: 'personal' };

interface Property {
  readonly of: readonly TargetKind[];
  readonly schema: z.ZodType;
  readonly home: PropertyHome;
  /** True where the document needs it, so that it cannot be removed. */
  readonly isNeeded?: true;
  readonly says: string;
}

export const PROPERTIES = {
  label: {
    of: ['field', 'metric', 'relationship'],
    schema: Text,
    home: { in: 'label' },
    says: 'the name that people see',
  },
  description: {
    of: ['model', 'dataset', 'field', 'metric'],
    schema: Text,
    home: { in: 'element', key: 'description' },
    says: 'what it means, in a sentence',
  },
  synonyms: {
    of: ['model', 'dataset', 'field', 'metric'],
    schema: list(z.string().trim().min(1).max(MAX_NAME_LENGTH), MAX_SYNONYMS),
    home: { in: 'ai_context', key: 'synonyms' },
    says: 'further names, accepted wherever the name is',
  },
  instructions: {
    of: ['model', 'dataset', 'field', 'metric'],
    schema: Text,
    home: { in: 'ai_context', key: 'instructions' },
    says: 'instructions for agents',
  },
  format: {
    of: ['field', 'metric'],
    schema: z.string().trim().min(1).max(100),
    home: { in: 'extension', path: ['display', 'format'] },
    says: 'a number pattern such as `#,##0.00`',
  },
  unit: {
    of: ['field', 'metric'],
    schema: z.string().trim().min(1).max(100),
    home: { in: 'extension', path: ['display', 'unit'] },
    says: 'a unit such as EUR',
  },
  hidden: {
    of: ['field', 'metric'],
    schema: z.boolean(),
    home: { in: 'extension', path: ['display', 'hidden'] },
    says: 'true to leave it out of schema views; it may still be queried',
  },
  personal: {
    of: ['dataset', 'field'],
    schema: z.boolean(),
    home: { in: 'personal' },
    says: 'true for personal data, which is in no answer',
  },
  expression: {
    of: ['field', 'metric'],
    schema: Expression,
    home: { in: 'expression' },
    isNeeded: true,
    says: 'SQL in the dialect that the document uses for it',
  },
  filter: {
    of: ['metric'],
    schema: Expression,
    home: { in: 'extension', path: ['filter'] },
    says: 'a condition on the rows of a metric',
  },
  allow: {
    of: ['field', 'metric'],
    schema: Roles,
    home: { in: 'extension', path: ['roles', 'allow'] },
    says: 'the only roles that may see it',
  },
  deny: {
    of: ['field', 'metric'],
    schema: Roles,
    home: { in: 'extension', path: ['roles', 'deny'] },
    says: 'roles that may not see it',
  },
  rowPredicates: {
    of: ['dataset'],
    schema: z.record(z.string().min(1).max(MAX_NAME_LENGTH), Expression),
    home: { in: 'extension', path: ['roles', 'row_predicates'] },
    says: 'for each role a condition on the rows that it sees; `*` for callers without one of these roles',
  },
  mainDate: {
    of: ['dataset'],
    schema: Name.min(1),
    home: { in: 'extension', path: ['time', 'main'] },
    says: 'the main date of its rows, as the name of a field or `dataset.field`',
  },
  from: {
    of: ['relationship'],
    schema: Name.min(1),
    home: { in: 'element', key: 'from' },
    isNeeded: true,
    says: 'the dataset with the foreign key',
  },
  to: {
    of: ['relationship'],
    schema: Name.min(1),
    home: { in: 'element', key: 'to' },
    isNeeded: true,
    says: 'the dataset with the key',
  },
  fromColumns: {
    of: ['relationship'],
    schema: Columns,
    home: { in: 'element', key: 'from_columns' },
    isNeeded: true,
    says: 'columns of `from`',
  },
  toColumns: {
    of: ['relationship'],
    schema: Columns,
    home: { in: 'element', key: 'to_columns' },
    isNeeded: true,
    says: 'columns of `to`, in the order of `fromColumns`',
  },
} as const satisfies Readonly<Record<string, Property>>;

export type PropertyName = keyof typeof PROPERTIES;
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as [PropertyName, ...PropertyName[]];

export function propertyOf(name: PropertyName): Property {
  return PROPERTIES[name];
}

export const Target = z
  .strictObject({
    kind: z.enum(TARGET_KINDS),
    dataset: Name.optional().describe('Of a field: its dataset.'),
    name: Name.optional().describe('The name of the dataset, field, metric or relationship; left out for the model.'),
  })
  .meta({ id: 'ModelElement' });
export type Target = z.output<typeof Target>;

const properties = PROPERTY_NAMES.map((name) => {
  const { of, says } = propertyOf(name);
  return `\`${name}\` (${of.join(', ')}): ${says}`;
}).join('; ');

export const Edit = z
  .discriminatedUnion('op', [
    z.strictObject({
      op: z.literal('set'),
      on: Target,
      property: z.enum(PROPERTY_NAMES).describe(`The property: ${properties}.`),
      value: z.unknown().describe('The new value; null removes the property.'),
    }),
    z.strictObject({ op: z.literal('rename'), on: Target, name: NewName.describe('The new name.') }),
    z.strictObject({ op: z.literal('remove'), on: Target.describe('A field, a metric or a relationship.') }),
    z.strictObject({
      op: z.literal('add-metric'),
      name: NewName,
      expression: Expression.describe('ANSI SQL over `dataset.column`, or other metrics by name.'),
      label: Text.optional(),
      description: Text.optional(),
    }),
    z.strictObject({
      op: z.literal('add-field'),
      dataset: Name,
      name: NewName,
      expression: Expression.describe('ANSI SQL over the columns of its dataset.'),
      label: Text.optional(),
      description: Text.optional(),
    }),
    z.strictObject({
      op: z.literal('add-relationship'),
      name: NewName,
      from: Name,
      to: Name,
      fromColumns: Columns,
      toColumns: Columns,
    }),
    z.strictObject({
      op: z.literal('add-certified-answer'),
      answer: CertifiedAnswer.describe('A question with the request that answers it.'),
    }),
  ])
  .meta({ id: 'ModelEdit' });
export type Edit = z.output<typeof Edit>;

export const Edits = list(Edit, MAX_EDITS).min(1);
