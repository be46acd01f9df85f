/** Anomalies and forecasts of the metrics of a request. */

import { randomUUID } from 'node:crypto';
import { userOf } from '../../../router/calling-user.ts';
import { documented, type OperationContext, operation } from '../../../router/operation.ts';
import {
  type Forecasts,
  findAnomalies,
  labelledAhead,
  makeForecasts,
  markRecords,
  requireTimeAxis,
  seriesTable,
} from '../../analytics/index.ts';
import { prepare, run } from '../prepare.ts';
import { axisFields } from '../query/answer/axis-fields.ts';
import type { Answer } from '../query/pipeline.ts';
import {
  AnomalyRequest,
  AnomalyResponse,
  ForecastRequest,
  ForecastResponse,
  type SemanticQueryRequest,
} from '../schemas-analytics.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { recordsResponse, toStoredResult } from './responses.ts';
import { SEMANTIC_TOOLS } from './tools.ts';

const CHOICE =
  'Defaults, limits, several series (one for each combination of the other fields), `series`, `grain`, `gaps`, `reason`. A query with more rows than the server answers is refused, because its series would be cut.';

export function analyticsOperations(parts: Dependencies) {
  const { clock, analytics: pool } = parts;
  const answerAlong = async (
    query: SemanticQueryRequest,
    timeAxis: string,
    ctx: OperationContext,
    signal: AbortSignal | undefined,
  ) => {
    const startedAtMillis = clock();
    const prepared = await prepare(query, userOf(ctx), parts, { signal, part: ['query'] });
    const fields = axisFields(prepared.compiled.plan.groups, query);
    const axis = requireTimeAxis(timeAxis, fields);
    const answer = await run(prepared, parts, signal);
    return {
      answer,
      table: await seriesTable(answer, axis),
      labelled: (forecast: Forecasts) => labelledAhead(answer.columns, axis, fields, forecast),
      respond: (shown: Answer) =>
        recordsResponse(randomUUID(), toStoredResult(prepared.compiled, shown, clock() - startedAtMillis)),
    };
  };

  return {
    anomaly: operation({
      summary: 'Answer a query and flag what is unusual along its time axis',
      description: 'Masked cells are left out of the scoring.',
      access: 'user',
      answersViewers: true,
      tool: SEMANTIC_TOOLS.anomaly,
      rest: { method: 'POST', path: `${ROOT}/anomaly`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(AnomalyRequest)
      .output(documented(AnomalyResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { query, timeAxis, ...parameters } = input;
        const { answer, table, respond } = await answerAlong(query, timeAxis, ctx, signal);
        const report = await findAnomalies(table, parameters, { pool, signal });
        const records = markRecords(answer.records, table.metrics, report);
        return { ...respond({ ...answer, records }), anomaly: report.summary };
      }),

    forecast: operation({
      summary: 'Answer a query and continue its metrics along its time axis',
      description: 'Masked cells count as missing values.',
      access: 'user',
      answersViewers: true,
      tool: SEMANTIC_TOOLS.forecast,
      rest: { method: 'POST', path: `${ROOT}/forecast`, body: '*' },
      implementationChoice: `${CHOICE} \`period\` of a point.`,
    })
      .input(ForecastRequest)
      .output(documented(ForecastResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { query, timeAxis, ...parameters } = input;
        const { answer, table, respond, labelled } = await answerAlong(query, timeAxis, ctx, signal);
        const forecast = await makeForecasts(table, parameters, { pool, signal });
        return { ...respond({ ...answer, columns: labelled(forecast) }), forecast };
      }),
  };
}
