/** Requests that are answered at once: query, preview, row detail. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import { documented, operation } from '../../../router/operation.ts';
import { withNameProblems } from '../../query-surface/index.ts';
import { prepare, run } from '../prepare.ts';
import { statementFor } from '../query/execute/run.ts';
import { explain } from '../query/explain/explain.ts';
import { compileDetail } from '../query/pipeline.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import {
  DEFAULT_DETAIL_ROWS,
  Format,
  MatrixResponse,
  PreviewResponse,
  RowDetailRequest,
  SemanticQueryRequest,
  SemanticQueryResponse,
} from '../schemas.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { nameCheck } from './name-check.ts';
import { recordsResponse, toStoredResult } from './responses.ts';
import { SEMANTIC_TOOLS } from './tools.ts';
import { semanticQueries } from './typed-queries.ts';

export function queryOperations(parts: Dependencies) {
  const { catalogs, clock } = parts;
  const queries = semanticQueries(parts);
  return {
    query: operation({
      summary: 'Answer a typed query',
      access: 'user',
      answersViewers: true,
      tool: SEMANTIC_TOOLS.query,
      rest: { method: 'POST', path: `${ROOT}/query`, body: '*', query: ['format'] },
      implementationChoice:
        'At most 100,000 rows; without a limit the answer is cut at the server’s service.query.maxRows. With rows and columns, a limit counts row groups. The cells of a matrix. The key `dataset.field@relationship` of a field with `via`. `grain` of a date with its key `dataset.field.grain`, `op: RELATIVE`, groups `any` and `all` in `filters`, filters by metrics with `per`, `fill` of a date in rows, `compare` of a value, and the labels of its values, `timezone`, `locale`.',
    })
      .use((step) => withNameProblems(step, nameCheck(catalogs, step.ctx)))
      .input(SemanticQueryRequest.extend({ format: Format }))
      .output(documented(z.union([SemanticQueryResponse, MatrixResponse])))
      .mutation(({ ctx, input: { format, ...request }, signal }) => queries.answer(ctx, request, format, signal)),

    preview: operation({
      summary: 'Show the SQL that a query would run, and how it is planned',
      access: 'user',
      answersViewers: true,
      tool: SEMANTIC_TOOLS.preview,
      rest: { method: 'POST', path: `${ROOT}/query/preview`, body: '*' },
      implementationChoice: 'The member `plan`.',
    })
      .use((step) => withNameProblems(step, nameCheck(catalogs, step.ctx)))
      .input(SemanticQueryRequest)
      .output(PreviewResponse)
      .mutation(async ({ ctx, input, signal }) => {
        const scope = userOf(ctx);
        const { target, compiled } = await prepare(input, scope, parts, { signal });
        const questions = [compiled, ...compiled.comparisons];
        const statements = await Promise.all(questions.map((question) => statementFor(question, target)));
        return {
          queryId: randomUUID(),
          status: 'PREVIEW',
          generatedSql: statements.map(({ statement }) => statement.sql).join(';\n\n'),
          plan: explain(compiled, applyAccessPolicy(scope, target.model)),
        };
      }),

    rowDetail: operation({
      summary: 'The rows behind a query: its fields without its metrics',
      access: 'user',
      answersViewers: true,
      tool: SEMANTIC_TOOLS.rowDetail,
      rest: { method: 'POST', path: `${ROOT}/row-detail`, body: '*', query: ['maxrows'] },
      implementationChoice:
        'Each combination of the fields is answered once; name a key among them to get each row of a table. Sorts by a metric are ignored. A limit below maxrows applies.',
    })
      .use((step) => withNameProblems(step, nameCheck(catalogs, step.ctx)))
      .input(RowDetailRequest)
      .output(documented(SemanticQueryResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { maxrows = DEFAULT_DETAIL_ROWS, ...request } = input;
        const startedAtMillis = clock();
        const prepared = await prepare(request, userOf(ctx), parts, {
          signal,
          compileRequest: (...compiling) => compileDetail(...compiling, maxrows),
        });
        const answer = await run(prepared, parts, signal);
        return recordsResponse(randomUUID(), toStoredResult(prepared.compiled, answer, clock() - startedAtMillis));
      }),
  };
}
