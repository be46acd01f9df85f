/** Mistakes of one body, told together: those of its shape, and those of the names in what has the right shape. */
import { z } from 'zod';
import { userOf } from '../../../router/caller.ts';
import type { OperationContext } from '../../../router/declaration.ts';
import { toServiceError } from '../../../router/error-shape.ts';
import { NotFoundError, type Problem, ValidationError } from '../../../router/errors.ts';
import type { Catalog } from '../catalog.ts';
import { resolve } from '../query/resolve.ts';
import { visibleTo } from '../query/visible.ts';
import { SemanticQueryRequest } from '../schemas.ts';

type Issues = readonly z.core.$ZodIssue[];
const SHOWN = ['rows', 'columns', 'values'];

/**
 * Passes the result of an operation on. Where its input has the wrong shape, the mistakes in names of the other parts
 * are told behind those of the shape.
 *
 * @throws ValidationError with all of them
 */
export async function withNameProblems<Result extends { readonly ok: boolean; readonly error?: { cause?: unknown } }>(
  result: Result,
  rawInput: () => Promise<unknown>,
  catalog: Catalog,
  ctx: OperationContext,
): Promise<Result> {
  const cause = result.ok ? undefined : result.error?.cause;
  if (!(cause instanceof z.core.$ZodError)) return result;
  const shape = toServiceError(cause);
  const sound = soundParts(await rawInput(), cause.issues);
  if (!(shape instanceof ValidationError) || sound === undefined) return result;
  const told = new Set(shape.problems.map(({ field }) => field));
  const names = (await nameProblems(sound.request, catalog, ctx))
    .map((problem) => ({ ...problem, field: sound.placeOf(problem.field) }))
    .filter(({ field }) => !told.has(field) && !isEmptiness(field));
  const [first, ...others] = [...shape.problems, ...names];
  if (first === undefined || names.length === 0) return result;
  throw new ValidationError([first, ...others], shape.moreProblems);
}

async function nameProblems(
  request: SemanticQueryRequest,
  catalog: Catalog,
  ctx: OperationContext,
): Promise<readonly Problem[]> {
  try {
    const { model } = await catalog.find(request.connection, request.model);
    resolve(request, visibleTo(userOf(ctx), model));
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

/** What remains may be empty only because the rest was taken out. */
function isEmptiness(field: string): boolean {
  return field === 'values';
}

interface SoundParts {
  readonly request: SemanticQueryRequest;
  /** Where a place of the request stood in the body. */
  readonly placeOf: (field: string) => string;
}

/** The request without the members and entries that have an issue; `undefined` where that leaves no request. */
function soundParts(body: unknown, issues: Issues): SoundParts | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const isWrong = (member: string, index?: number) =>
    issues.some(({ path }) => path[0] === member && (index === undefined ? path.length === 1 : path[1] === index));
  const kept = new Map<string, readonly number[]>();
  const members = Object.entries(body).flatMap(([member, value]): [string, unknown][] => {
    if (!Object.hasOwn(SemanticQueryRequest.shape, member) || isWrong(member)) return [];
    // Sorts are looked up among what is shown: where a part of that is missing, nobody can say that they are wrong.
    if (member === 'sorts' && issues.some(({ path }) => SHOWN.includes(String(path[0])))) return [];
    if (!Array.isArray(value)) return [[member, value]];
    const indexes = [...value.keys()].filter((index) => !isWrong(member, index));
    kept.set(member, indexes);
    return [[member, indexes.map((index): unknown => value[index])]];
  });
  const parsed = SemanticQueryRequest.safeParse(Object.fromEntries(members));
  if (!parsed.success) return undefined;
  return {
    request: parsed.data,
    placeOf: (field) =>
      field.replace(/^(\w+)\[(\d+)\]/, (text, list: string, index: string) => {
        const original = kept.get(list)?.[Number(index)];
        return original === undefined ? text : `${list}[${original}]`;
      }),
  };
}
