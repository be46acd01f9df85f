/** Answers saved queries of the surface for embeds and dashboards. */

import { withCheck } from '../../../router/answer-checks.ts';
import type { QuerySource, TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { analysed, requireTimeAxis } from '../../analytics/index.ts';
import { answerBasis, countsMoments } from '../../query-surface/index.ts';
import { prepare, run } from '../prepare.ts';
import { axisFields, writtenAxisFields } from '../query/answer/axis-fields.ts';
import { compile } from '../query/pipeline.ts';
import { othersRequest } from '../query/request/others.ts';
import { dimensionsOf, rawKeyOf, withRuntimeFilters } from '../query/request/runtime-filters.ts';
import { subtotalsRequest } from '../query/request/subtotals.ts';
import { SemanticQueryRequest } from '../schemas.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';
import { offeredValues } from './offered-values.ts';

export function querySource(parts: Dependencies): QuerySource {
  return {
    surface: SURFACE,
    prepare(saved) {
      const request = parseInput(SemanticQueryRequest, saved);
      return {
        dimensions: dimensionsOf(request),
        checkTimeAxis(timeAxis) {
          requireTimeAxis(timeAxis, writtenAxisFields(request));
        },
        async run(scope, { signal, runtimeFilters = [], analytics: analysis, others, without }) {
          const rest = others === undefined ? request : othersRequest(request, others);
          const requestToRun = without === undefined ? rest : subtotalsRequest(rest, without);
          const { catalogs, settings } = parts;
          const basis = await answerBasis({
            cache: parts.cache,
            clock: settings.clock,
            find: () => catalogs.find(requestToRun.connection, requestToRun.model, scope),
            served: () => catalogs.of(scope.tenant).version,
          });
          const engine = { catalogs, settings, cache: basis.cache };
          const prepared = await prepare(requestToRun, scope, engine, {
            signal,
            compileRequest: (whole, ...rest) =>
              withRuntimeFilters(whole, runtimeFilters, (narrowed) => compile(narrowed, ...rest)),
          });
          const answer = withAxes(await run(prepared, engine, signal), requestToRun);
          const isCurrent = countsMoments(requestToRun, runtimeFilters) ? undefined : basis.isCurrent;
          if (analysis === undefined) return withCheck(answer, isCurrent);
          const fields = axisFields(prepared.compiled.plan.groups, requestToRun);
          return withCheck(await analysed(answer, analysis, fields, { pool: parts.analytics, signal }), isCurrent);
        },
        offer: (scope, options) => offeredValues(request, scope, options, parts),
      };
    },
  };
}

/** Marks the dimensions that the request has in `columns`. */
function withAxes<A extends Pick<TabularAnswer, 'columns'>>(answer: A, { columns = [] }: SemanticQueryRequest): A {
  const across = new Set(columns.map(rawKeyOf));
  if (across.size === 0) return answer;
  return {
    ...answer,
    columns: answer.columns.map((column) => (across.has(column.key) ? { ...column, axis: 'columns' } : column)),
  };
}
