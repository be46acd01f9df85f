/** How the surface prepares, runs and answers a typed query. */
import { z } from 'zod';
import { typedQueries } from '../../query-surface/index.ts';
import { CubeQueryRequest, type Format } from '../api/schemas.ts';
import type { Target } from '../catalog/target.ts';
import type { Answer } from '../query/answer/answer.ts';
import { toResponse } from '../query/answer/response.ts';
import { type Prepared, prepare, run } from '../query/pipeline.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';

interface PreparedQuery {
  readonly target: Target;
  readonly prepared: Prepared;
}

export function cubeQueries(parts: Dependencies) {
  const { catalogs, asked, jobs, clock } = parts;
  return typedQueries({
    surface: SURFACE,
    jobs,
    clock,
    request: CubeQueryRequest,
    async prepare(request: CubeQueryRequest, scope, signal): Promise<PreparedQuery> {
      const target = await catalogs.find(request.cube, scope);
      return { target, prepared: await prepare(request, target, parts, { signal }) };
    },
    run: ({ target, prepared }, { scope, signal }) => run(prepared, target, parts, { user: scope.user, signal }),
    kept: (value) => StoredAnswer.parse(value),
    respond: (queryId, answer, format: Format) => toResponse(queryId, answer, format),
    remember: (queryId, request, scope) => asked.remember(queryId, request, scope),
  });
}

/** Stored result of a job, read back. The service wrote its many rows, so the check covers their presence, not each row. */
const StoredAnswer = z.custom<Answer>(
  (value) => typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows),
);
