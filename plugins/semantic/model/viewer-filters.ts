/**
 * Viewer filters of datasets: rows whose field is one of the caller's values of an attribute. The SERVICE extension of a
 * dataset has `viewer_filters`; of the model, `viewer_attributes` and `viewer_exempt`.
 */
import { z } from 'zod';
import { AttributeName } from '../../../router/capabilities/attributes.ts';
import type { ScalarType } from '../../../router/capabilities/scalar.ts';
import type { Place, Problems } from './problems.ts';

const MAX_VIEWER_FILTERS = 20;
const MAX_VIEWER_ATTRIBUTES = 32;
const MAX_EXEMPT_ROLES = 50;

/** The types of an attribute's values, with the types of fields that they are compared with. */
export const ATTRIBUTE_TYPES = {
  string: ['text', 'date', 'time', 'timestamp', 'timestamptz', 'json', 'binary', 'other'],
  number: ['integer', 'decimal', 'float'],
  boolean: ['boolean'],
} as const satisfies Readonly<Record<string, readonly ScalarType[]>>;

type AttributeType = keyof typeof ATTRIBUTE_TYPES;
const TYPE_NAMES = Object.keys(ATTRIBUTE_TYPES) as [AttributeType, ...AttributeType[]];

/** The members of the SERVICE extension that are about viewers. */
export const viewerData = {
  viewer_filters: z
    .array(z.strictObject({ field: z.string().min(1), attribute: AttributeName }))
    .max(MAX_VIEWER_FILTERS)
    .optional(),
  viewer_attributes: z
    .array(
      z.strictObject({
        name: AttributeName,
        type: z.enum(TYPE_NAMES).default('string'),
        many: z.boolean().default(false),
        description: z.string().max(1_000).optional(),
      }),
    )
    .max(MAX_VIEWER_ATTRIBUTES)
    .optional(),
  viewer_exempt: z.array(z.string().min(1)).max(MAX_EXEMPT_ROLES).optional(),
};

const MEMBER_NAMES: ReadonlySet<string> = new Set(Object.keys(viewerData));

/** An attribute as a model declares it. */
export interface ViewerAttribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly many: boolean;
  readonly description?: string | undefined;
}

export interface ViewerFacts {
  /** Of a dataset; each filter applies. */
  readonly filters: readonly { readonly field: string; readonly attribute: string }[];
  /** Of a model; `undefined` where it declares none, so that a filter may name any attribute. */
  readonly attributes: readonly ViewerAttribute[] | undefined;
  /** Of a model: the roles that see all rows in their own sessions and by their own API keys. */
  readonly exempt: readonly string[];
}

/**
 * Returns a mistake for a member that looks like a setting of viewers and is none: left unread, it would open all rows.
 */
export function misspelledViewerMember(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const name = Object.keys(data).find((key) => /^viewer/i.test(key) && !MEMBER_NAMES.has(key));
  if (name === undefined) return undefined;
  return `the extension SERVICE has no member ${name}; it has ${[...MEMBER_NAMES].join(', ')}`;
}

/** Reports settings of viewers at an element that cannot have them. */
export function refuseMisplaced(
  { filters, attributes, exempt }: ViewerFacts,
  element: 'model' | 'dataset' | 'other',
  place: Place,
  problems: Problems,
): void {
  const at = [...place, 'custom_extensions'];
  if (filters.length > 0 && element !== 'dataset') problems.error(at, 'viewer_filters belong to a dataset.');
  if ((attributes !== undefined || exempt.length > 0) && element !== 'model')
    problems.error(at, 'viewer_attributes and viewer_exempt belong to the model.');
}

/** Reports attributes that a model declares twice. */
export function refuseRepeated({ attributes = [] }: ViewerFacts, place: Place, problems: Problems): void {
  const names = attributes.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  problems.error([...place, 'custom_extensions'], `viewer_attributes declares ${repeated} twice.`);
}
