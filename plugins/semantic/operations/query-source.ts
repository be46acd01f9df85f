/** Answers saved queries of the surface for embeds and dashboards. */

import { withCheck } from '../../../router/answer-checks.ts';
import type { QuerySource } from '../../../router/capabilities/query-source.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { analysed, requireTimeAxis } from '../../analytics/index.ts';
import { answerBasis, countsMoments } from '../../query-surface/index.ts';
import { prepare, run } from '../prepare.ts';
import { axisFields, writtenAxisFields } from '../query/answer/axis-fields.ts';
import { withAxes } from '../query/answer/with-axes.ts';
import { compile } from '../query/pipeline.ts';
import { drilledRequest, keysBelow, withDrill } from '../query/request/drill-down.ts';
import { othersRequest } from '../query/request/others.ts';
import { dimensionsOf } from '../query/request/runtime-filters.ts';
import { subtotalsRequest } from '../query/request/subtotals.ts';
import { SemanticQueryRequest } from '../schemas.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';
import { drillingOf } from './drilling.ts';
import { offeredValues } from './offered-values.ts';
import { rowsBehind } from './rows-behind.ts';

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
        async run(scope, { signal, runtimeFilters = [], analytics: analysis, others, without, drill }) {
          const drilled = drilledRequest(request, drill ?? { down: [], steps: [] });
          const rest = others === undefined ? drilled.request : othersRequest(drilled.request, others);
          const requestToRun = without === undefined ? rest : subtotalsRequest(rest, without);
          const { catalogs, settings } = parts;
          const basis = await answerBasis({
            cache: parts.cache,
            clock: settings.clock,
            find: () => catalogs.find(requestToRun.connection, requestToRun.model, scope),
            served: () => catalogs.of(scope.tenant).version,
          });
          const engine = { catalogs, settings, cache: basis.cache, demands: parts.demands };
          const prepared = await prepare(requestToRun, scope, engine, {
            signal,
            compileRequest: (whole, ...rest) =>
              withDrill(drilled, [...runtimeFilters, ...drilled.conditions], whole, (narrowed) =>
                compile(narrowed, ...rest),
              ),
          });
          const table = withAxes(await run(prepared, engine, signal), requestToRun);
          const answer =
            drill === undefined
              ? table
              : { ...table, drilling: await drillingOf(drilled, drill, { scope, engine, signal }) };
          const isCurrent = countsMoments(requestToRun, runtimeFilters) ? undefined : basis.isCurrent;
          // An analysis is along the time axis of the whole answer.
          if (analysis === undefined || drilled.conditions.length > 0) return withCheck(answer, isCurrent);
          const fields = axisFields(prepared.compiled.plan.groups, requestToRun);
          return withCheck(await analysed(answer, analysis, fields, { pool: parts.analytics, signal }), isCurrent);
        },
        offer: (scope, options) => offeredValues(request, scope, options, parts),
        rows: (scope, options) => rowsBehind(request, scope, options, parts),
        keysBelow: async (_, down) => keysBelow(request, down),
      };
    },
  };
}
