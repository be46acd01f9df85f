import { z } from 'zod';
import { nestsTooDeep } from './json.ts';
import { MAX_JSON_DEPTH } from './limits.ts';
import { isRecord } from './record.ts';

/** Maximum depth: the body of a request may be a member of the input. */
const MAX_INPUT_DEPTH = MAX_JSON_DEPTH + 1;

/**
 * Returns the value without optional members that are null: in a request, null and absent mean the same. Only members
 * of objects in `schema` count; a null that the schema accepts, or in a list, stays.
 *
 * @throws MalformedBodyError for input that nests deeper than any request may, from a protocol's library or a language
 * model
 */
export function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  const holders = new Set<unknown>();
  // Nulls are collected once: a list of thousands of values is not read again for each object and branch around it.
  return collectHolders(value, holders, 0) ? stripped(schema, value, holders) : value;
}

/** Adds the objects and lists that contain null at any depth to `holders`. Returns whether `value`, at depth `depth`, is null or one of them. */
function collectHolders(value: unknown, holders: Set<unknown>, depth: number): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  if (depth === MAX_INPUT_DEPTH) throw nestsTooDeep();
  for (const member of Object.values(value)) if (collectHolders(member, holders, depth + 1)) holders.add(value);
  return holders.has(value);
}

function stripped(schema: z.ZodType, value: unknown, holders: ReadonlySet<unknown>): unknown {
  if (!holders.has(value)) return value;
  const inner = bare(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const { element } = inner;
    return element instanceof z.ZodType ? value.map((entry) => stripped(element, entry, holders)) : value;
  }
  if (inner instanceof z.ZodUnion) return ofUnion(inner, value, holders);
  if (inner instanceof z.ZodRecord && inner.valueType instanceof z.ZodType && isRecord(value)) {
    const { valueType } = inner;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, stripped(valueType, member, holders)]),
    );
  }
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const memberSchema = memberOf(inner, key);
    if (memberSchema === undefined) kept.push([key, member]);
    else if (member !== null || !takes(memberSchema).absent || takes(memberSchema).null)
      kept.push([key, stripped(memberSchema, member, holders)]);
  }
  return Object.fromEntries(kept);
}

/**
 * Strips the value by the branch that its members select; of several branches, by the first one that accepts the result. Returns it unchanged where
 * none does.
 */
function ofUnion(union: z.ZodUnion, value: unknown, holders: ReadonlySet<unknown>): unknown {
  const [only, ...others] = branchesOf(union).filter((branch) => mayTake(branch, value));
  if (only === undefined) return value;
  if (others.length === 0) return stripped(only, value, holders);
  for (const branch of [only, ...others]) {
    const candidate = stripped(branch, value, holders);
    if (branch.safeParse(candidate).success) return candidate;
  }
  return value;
}

function branchesOf({ options }: z.ZodUnion): readonly z.ZodType[] {
  return options.flatMap((option) => {
    if (!(option instanceof z.ZodType)) return [];
    const inner = bare(option);
    return inner instanceof z.ZodUnion ? branchesOf(inner) : [inner];
  });
}

/** Returns whether a branch may accept an object or a list, by its names, tags and missing members. Does not read nested values. */
function mayTake(branch: z.ZodType, value: unknown): boolean {
  if (branch instanceof z.ZodArray) return Array.isArray(value);
  if (!(branch instanceof z.ZodObject)) return true;
  if (!isRecord(value)) return false;
  const isStrict = branch.def.catchall instanceof z.ZodNever;
  const areKnown = Object.entries(value).every(([key, member]) => {
    const memberSchema = memberOf(branch, key);
    if (memberSchema === undefined) return !isStrict;
    const tag = bare(memberSchema);
    return (
      member === null || !(tag instanceof z.ZodLiteral || tag instanceof z.ZodEnum) || tag.safeParse(member).success
    );
  });
  return (
    areKnown &&
    Object.entries(branch.shape).every(
      ([key, memberSchema]) =>
        Object.hasOwn(value, key) || (memberSchema instanceof z.ZodType && takes(memberSchema).absent),
    )
  );
}

function memberOf({ shape }: z.ZodObject, key: string): z.ZodType | undefined {
  const memberSchema: unknown = Object.hasOwn(shape, key) ? shape[key] : undefined;
  return memberSchema instanceof z.ZodType ? memberSchema : undefined;
}

/** Returns whether a schema accepts null, and whether it accepts an absent value. Checks each schema once, because a refusal is expensive. */
function takes(schema: z.ZodType): { readonly null: boolean; readonly absent: boolean } {
  let absences = takenBySchema.get(schema);
  if (absences === undefined) {
    absences = { null: schema.safeParse(null).success, absent: schema.safeParse(undefined).success };
    takenBySchema.set(schema, absences);
  }
  return absences;
}

const takenBySchema = new WeakMap<z.ZodType, { readonly null: boolean; readonly absent: boolean }>();

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner: unknown = schema.unwrap();
    if (inner instanceof z.ZodType) return bare(inner);
  }
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodType) return bare(schema.in);
  return schema;
}
