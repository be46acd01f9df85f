/** Questions about the course of a metric: anomalies and forecasts. */
import { randomUUID } from 'node:crypto';
import { userOf } from '../../../router/caller.ts';
import { inPart } from '../../../router/errors.ts';
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
import { axisFields } from '../query/axis-fields.ts';
import { withTimeOf } from '../query/grain/time-ready.ts';
import { type Answer, answer, compile } from '../query/pipeline.ts';
import {
  AnomalyRequest,
  AnomalyResponse,
  ForecastRequest,
  ForecastResponse,
  type SemanticQueryRequest,
} from '../schemas-analytics.ts';
import { recordsResponse, toStoredResult } from './answers.ts';
import { type Dependencies, ROOT } from './dependencies.ts';

const CHOICE =
  'Defaults, limits, several series (one for each combination of the other fields), `series`, `grain`, `gaps`, `reason`. A query of more rows than the server answers is refused, as its series would have no end.';

export function analyticsOperations({ catalogs, cache, clock, settings, analytics: pool }: Dependencies) {
  const answerAlong = async (
    query: SemanticQueryRequest,
    timeAxis: string,
    ctx: OperationContext,
    signal: AbortSignal | undefined,
  ) => {
    const started = clock();
    const served = await catalogs.find(query.connection, query.model, userOf(ctx));
    const entry = await withTimeOf(query, served, userOf(ctx), { cache, settings, signal });
    const compiled = await inPart(['query'], () => compile(query, entry, userOf(ctx), settings));
    const fields = axisFields(compiled.plan.groups, query);
    const axis = requireTimeAxis(timeAxis, fields);
    const found = await answer(compiled, entry, cache, settings, signal);
    return {
      found,
      table: await seriesTable(found, axis),
      labelled: (forecast: Forecasts) => labelledAhead(found.columns, axis, fields, forecast),
      respond: (shown: Answer) => recordsResponse(randomUUID(), toStoredResult(compiled, shown, clock() - started)),
    };
  };

  return {
    anomaly: operation({
      summary: 'Answer a query and flag what is unusual along its time axis',
      description: 'Masked cells are left out of the scoring.',
      access: 'user',
      rest: { method: 'POST', path: `${ROOT}/anomaly`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(AnomalyRequest)
      .output(documented(AnomalyResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { query, timeAxis, ...parameters } = input;
        const { found, table, respond } = await answerAlong(query, timeAxis, ctx, signal);
        const report = await findAnomalies(table, parameters, { pool, signal });
        const records = markRecords(found.records, table.metrics, report);
        return { ...respond({ ...found, records }), anomaly: report.summary };
      }),

    forecast: operation({
      summary: 'Answer a query and continue its metrics along its time axis',
      description: 'Masked cells are taken as missing.',
      access: 'user',
      rest: { method: 'POST', path: `${ROOT}/forecast`, body: '*' },
      implementationChoice: `${CHOICE} \`period\` of a point.`,
    })
      .input(ForecastRequest)
      .output(documented(ForecastResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { query, timeAxis, ...parameters } = input;
        const { found, table, respond, labelled } = await answerAlong(query, timeAxis, ctx, signal);
        const forecast = await makeForecasts(table, parameters, { pool, signal });
        return { ...respond({ ...found, columns: labelled(forecast) }), forecast };
      }),
  };
}
