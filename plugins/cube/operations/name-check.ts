import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { OperationContext } from '../../../router/declaration.ts';
import { type Problem, ServiceError, ValidationError } from '../../../router/errors.ts';
import { type NameCheck, validParts } from '../../query-surface/index.ts';
import { CubeQueryRequest, CubeReference } from '../api/schemas.ts';
import { prepare } from '../query/pipeline.ts';
import type { Dependencies } from './dependencies.ts';

const Members = z.record(z.string(), z.unknown());

/** Returns the check of names in the valid parts of a cube query. */
export function nameCheck(
  parts: Dependencies,
  { ctx, signal }: { readonly ctx: OperationContext; readonly signal: AbortSignal | undefined },
): NameCheck {
  return async (body, issues) => {
    const reference = CubeReference.safeParse(Members.safeParse(body).data?.cube);
    if (!reference.success) return [];
    try {
      const target = await parts.catalogs.find(reference.data, userOf(ctx), ['cube']);
      const standIn = [{ name: target.view.defaultMeasure }];
      const sound = validParts(CubeQueryRequest, body, issues, { measures: standIn });
      if (sound === undefined) return [];
      const isWhole = (list: string) => issues.every(({ path }) => path[0] !== list);
      const problems = await problemsOf(prepare(sound.request, target, parts, { signal }));
      return problems
        .filter(({ path }) => path.length > 1 || path[0] !== 'filters' || (isWhole('filters') && isWhole('measures')))
        .map((problem) => ({ ...problem, path: sound.bodyPlace(problem.path) }));
    } catch (error) {
      // Mistakes so far are reported even if other names could not be checked.
      if (error instanceof ServiceError) return [];
      throw error;
    }
  };
}

async function problemsOf(work: Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    throw error;
  }
}
