/** Reads the valid parts of a body with mistakes of shape, so that their names are checked in the same round. */
import type { z } from 'zod';
import type { RequestPath } from '../../router/path.ts';

/** The path of an issue in a body, outermost first. */
export interface ShapeIssue {
  readonly path: RequestPath;
}

export interface ValidParts<Request> {
  readonly request: Request;
  /** Returns the place in the body of a place in the request. */
  readonly bodyPlace: (path: RequestPath) => RequestPath;
}

/**
 * Returns the body without the members and list entries that have an issue; `undefined` if the rest is not a request.
 *
 * @param standIns values for required members that the body lacks or that are invalid
 */
export function validParts<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
  issues: readonly ShapeIssue[],
  standIns: Readonly<Record<string, unknown>> = {},
): ValidParts<z.output<Schema>> | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const isWrong = (member: string, index?: number) =>
    issues.some(({ path }) => path[0] === member && (index === undefined ? path.length === 1 : path[1] === index));
  const kept = new Map<string, readonly number[]>();
  const members = Object.entries(body).flatMap(([member, value]: [string, unknown]): [string, unknown][] => {
    if (!Object.hasOwn(schema.shape, member) || isWrong(member)) return [];
    if (!Array.isArray(value)) return [[member, value]];
    const indexes = [...value.keys()].filter((index) => !isWrong(member, index));
    kept.set(member, indexes);
    return indexes.length === 0 ? [] : [[member, indexes.map((index): unknown => value[index])]];
  });
  const parsed = schema.safeParse({ ...standIns, ...Object.fromEntries(members) });
  if (!parsed.success) return undefined;
  return {
    request: parsed.data,
    bodyPlace: (path) => {
      const [list, index, ...rest] = path;
      const original = kept.get(String(list))?.[Number(index)];
      return list === undefined || original === undefined ? path : [list, original, ...rest];
    },
  };
}
