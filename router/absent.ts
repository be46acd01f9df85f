import { z } from 'zod';

/**
 * Returns the value without the members that are null and may be left out: in a request the two mean the same. Only
 * members of objects that `schema` describes are looked at; null where the schema takes it, or in a list, stays.
 */
export function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  // Else a union would read a list of thousands of values once for each branch, to take nothing away.
  if (!holdsNull(value)) return value;
  const inner = bare(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const { element } = inner;
    return element instanceof z.ZodType ? value.map((entry) => withoutNulls(element, entry)) : value;
  }
  if (inner instanceof z.ZodUnion) return ofUnion(inner, value);
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape: Readonly<Record<string, unknown>> = inner.shape;
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const own = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!(own instanceof z.ZodType)) kept.push([key, member]);
    else if (member !== null || !own.safeParse(undefined).success || own.safeParse(null).success)
      kept.push([key, withoutNulls(own, member)]);
  }
  return Object.fromEntries(kept);
}

/** The value as the first branch has it that takes it then; as it is where none does, or where no branch has members. */
function ofUnion({ options }: z.ZodUnion, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const option of options) {
    if (!(option instanceof z.ZodType)) continue;
    const stripped = withoutNulls(option, value);
    if (option.safeParse(stripped).success) return stripped;
  }
  return value;
}

/** Whether a value is null, or holds one at any depth. */
function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  return value === null || Object.values(value).some(holdsNull);
}

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner: unknown = schema.unwrap();
    if (inner instanceof z.ZodType) return bare(inner);
  }
  return schema;
}
