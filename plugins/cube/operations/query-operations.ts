/** Operations that answer immediately: query, preview, what-if, drillthrough. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import { inPart } from '../../../router/errors.ts';
import { documented, operation } from '../../../router/operation.ts';
import { durationText } from '../../../router/quantity-text.ts';
import { orNotFound, withNameProblems } from '../../query-surface/index.ts';
import {
  CubeMatrixResponse,
  CubeQueryRequest,
  CubeQueryResponse,
  DEFAULT_DRILL_ROWS,
  DrillthroughRequest,
  DrillthroughResponse,
  Format,
  PreviewResponse,
  WhatIfRequest,
} from '../api/schemas.ts';
import type { DrillthroughResult, Scenario } from '../mdx/index.ts';
import { toResponse } from '../query/answer/response.ts';
import { columnKeys, drill, plain, returnsOf, rowsOf } from '../query/drillthrough.ts';
import { prepare, run } from '../query/pipeline.ts';
import { shownCells } from '../query/resolve/shown-cells.ts';
import { scenarioOf } from '../query/what-if.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { nameCheck } from './name-check.ts';
import { CUBE_TOOLS } from './tools.ts';
import { cubeQueries } from './typed-queries.ts';

export function queryOperations(parts: Dependencies) {
  const { catalogs, recentQueries, jobs, settings } = parts;
  const queries = cubeQueries(parts);
  return {
    query: operation({
      summary: 'Answer a typed query',
      access: 'user',
      answersViewers: true,
      tool: CUBE_TOOLS.query,
      rest: { method: 'POST', path: `${ROOT}/query`, body: '*', query: ['format'] },
      implementationChoice:
        'Shapes of columns and filters, the object form of cube, nonEmpty and visualTotals, the members of metadata beside generatedMdx and freshness. At most 100,000 rows; without a limit the answer is cut at the server’s service.query.maxRows.',
    })
      .use((step) => withNameProblems(step, nameCheck(parts, step)))
      .input(CubeQueryRequest.extend({ format: Format }))
      .output(documented(z.union([CubeQueryResponse, CubeMatrixResponse])))
      .mutation(({ ctx, input: { format, ...request }, signal }) => queries.answer(ctx, request, format, signal)),

    preview: operation({
      summary: 'Show the MDX that a query would run',
      access: 'user',
      answersViewers: true,
      tool: CUBE_TOOLS.preview,
      rest: { method: 'POST', path: `${ROOT}/query/preview`, body: '*' },
      implementationChoice: 'The whole operation.',
    })
      .use((step) => withNameProblems(step, nameCheck(parts, step)))
      .input(CubeQueryRequest)
      .output(PreviewResponse)
      .mutation(async ({ ctx, input, signal }) => {
        const target = await catalogs.find(input.cube, userOf(ctx));
        const { query, compiled } = await prepare(input, target, parts, { signal });
        const steps = await target.engine.explainCells(shownCells(query), { ...target.access, signal });
        return { queryId: randomUUID(), status: 'PREVIEW', generatedMdx: compiled.mdx, steps: [...steps] };
      }),

    whatIf: operation({
      summary: 'Answer a query as if some cells held other values; nothing is saved',
      access: 'user',
      answersViewers: true,
      tool: CUBE_TOOLS.whatIf,
      rest: { method: 'POST', path: `${ROOT}/scenario/whatif`, body: '*', query: ['format'] },
      implementationChoice:
        'The whole payload. Only stored measures that are sums can be changed. The answer is not kept, and its queryId cannot be drilled through.',
    })
      .use((step) => withNameProblems(step, nameCheck(parts, step), 'query'))
      .input(WhatIfRequest.extend({ format: Format }))
      .output(documented(z.union([CubeQueryResponse, CubeMatrixResponse])))
      .mutation(async ({ ctx, input, signal }) => {
        const { query: request, changes, format } = input;
        const scope = userOf(ctx);
        const target = await catalogs.find(request.cube, scope, ['query', 'cube']);
        const scenario: Scenario = await scenarioOf(changes, target, settings.timeoutMs, signal);
        const prepared = await inPart(['query'], () => prepare(request, target, parts, { signal }));
        const answer = await run(prepared, target, parts, { user: scope.user, signal, scenario });
        return toResponse(randomUUID(), answer, format);
      }),

    drillthrough: operation({
      summary: 'The rows of facts behind one cell of an answer',
      access: 'user',
      tool: CUBE_TOOLS.drillthrough,
      rest: {
        method: 'GET',
        path: `${ROOT}/query/{queryId}/drillthrough`,
        query: ['maxrows', 'returns', 'position'],
      },
      implementationChoice: `The whole operation. The caller who ran a query can drill through it for ${durationText(jobs.bounds.keepMs)}. Cells of calculated measures and masked cells cannot be drilled through.`,
    })
      .input(DrillthroughRequest)
      .output(documented(DrillthroughResponse))
      .query(async ({ ctx, input, signal }) => {
        const { queryId, maxrows = DEFAULT_DRILL_ROWS, position = '0:0' } = input;
        const scope = userOf(ctx);
        const request = orNotFound(await recentQueries.find(queryId, scope), jobs.bounds);
        const target = await catalogs.find(request.cube, scope);
        const prepared = await prepare(request, target, parts, { signal });
        const answer = await run(prepared, target, parts, { user: scope.user, signal });
        const [column = 0, row = 0] = position.split(':').map(Number);
        const returns = input.returns === undefined ? undefined : returnsOf(input.returns);
        const cell = drill(prepared.query, answer, { column, row }, returns, target);
        const result = await rowsOf(cell, target, {
          user: scope.user,
          maxRows: maxrows,
          timeoutMs: settings.timeoutMs,
          signal,
          place: returns === undefined ? 'position' : 'returns',
        });
        return detail(queryId, result);
      }),
  };
}

function detail(queryId: string, result: DrillthroughResult) {
  const { columns, rows, truncated } = result;
  const keys = columnKeys(result);
  return {
    queryId,
    rowCount: rows.length,
    truncated,
    columns: columns.map(({ type }, index) => ({ name: keys[index] ?? '', type })),
    rows: rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, plain(row[index] ?? null)]))),
  };
}
