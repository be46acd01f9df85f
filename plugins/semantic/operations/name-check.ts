import { userOf } from '../../../router/calling-user.ts';
import type { OperationContext } from '../../../router/declaration.ts';
import { NotFoundError, type Problem, ValidationError } from '../../../router/errors.ts';
import type { RequestPath } from '../../../router/path.ts';
import { type NameCheck, type ShapeIssue, validParts } from '../../query-surface/index.ts';
import type { Catalogs } from '../catalog.ts';
import { resolveRequest } from '../query/pipeline.ts';
import { joinPathProblems } from '../query/plan/planner.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { SemanticQueryRequest } from '../schemas.ts';

const SHOWN = ['rows', 'columns', 'values'];

/** Returns the function that checks the names in the valid parts of a semantic query. */
export function nameCheck(catalogs: Catalogs, ctx: OperationContext): NameCheck {
  return async (body, shapeIssues) => {
    // Sorts refer to the rows, columns and values of the request. If one of these is invalid, sorts cannot be checked.
    const isShownWhole = shapeIssues.every(({ path }) => !SHOWN.includes(String(path[0])));
    const issues: readonly ShapeIssue[] = isShownWhole ? shapeIssues : [...shapeIssues, { path: ['sorts'] }];
    const sound = validParts(SemanticQueryRequest, body, issues);
    if (sound === undefined) return [];
    const lacksMetrics = issues.some(({ path }) => path[0] === 'values');
    const problems = await nameProblems(sound.request, catalogs, ctx, lacksMetrics);
    return problems
      .filter(({ path }) => !isEmptiness(path))
      .map((problem) => ({ ...problem, path: sound.bodyPlace(problem.path) }));
  };
}

async function nameProblems(
  request: SemanticQueryRequest,
  catalogs: Catalogs,
  ctx: OperationContext,
  lacksMetrics: boolean,
): Promise<readonly Problem[]> {
  try {
    const { model, warehouse } = await catalogs.find(request.connection, request.model, userOf(ctx));
    const visible = applyAccessPolicy(userOf(ctx), model);
    const resolved = resolveRequest(request, visible, { holds: warehouse.dialect.holds, lacksMetrics });
    return lacksMetrics && resolved.values.length === 0 ? [] : joinPathProblems(resolved, visible);
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

/** Returns whether a mistake may only be that values are empty, because invalid ones were removed. */
function isEmptiness(path: RequestPath): boolean {
  return path.length === 1 && path[0] === 'values';
}
