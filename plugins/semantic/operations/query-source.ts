/** Saved queries of the surface, as embeds and dashboards show them. */

import type { QuerySource } from '../../../router/capabilities/query-source.ts';
import { parseInput } from '../../../router/parse-input.ts';
import { analysed, requireTimeAxis } from '../../analytics/index.ts';
import { prepare, run } from '../prepare.ts';
import { axisFields, writtenAxisFields } from '../query/answer/axis-fields.ts';
import { compile } from '../query/pipeline.ts';
import { dimensionsOf, withRuntimeFilters } from '../query/request/runtime-filters.ts';
import { SemanticQueryRequest } from '../schemas.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';

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
        async run(scope, { signal, runtimeFilters = [], analytics: analysis }) {
          const prepared = await prepare(request, scope, parts, {
            signal,
            compileRequest: (whole, ...rest) =>
              withRuntimeFilters(whole, runtimeFilters, (narrowed) => compile(narrowed, ...rest)),
          });
          const answer = await run(prepared, parts, signal);
          if (analysis === undefined) return answer;
          const fields = axisFields(prepared.compiled.plan.groups, request);
          return analysed(answer, analysis, fields, { pool: parts.analytics, signal });
        },
      };
    },
  };
}
