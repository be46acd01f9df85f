/** Operations on the time series of a measure: anomalies and forecasts. */
import { randomUUID } from 'node:crypto';
import { userOf } from '../../../router/calling-user.ts';
import type { UserCaller } from '../../../router/capabilities/identity.ts';
import { inPart } from '../../../router/errors.ts';
import { documented, operation } from '../../../router/operation.ts';
import { findAnomalies, makeForecasts } from '../../analytics/index.ts';
import { AnomalyRequest, AnomalyResponse, ForecastRequest, ForecastResponse } from '../api/analytics-schemas.ts';
import type { CubeQueryRequest } from '../api/schemas.ts';
import { recordsResponse } from '../query/answer/response.ts';
import { prepare, run } from '../query/pipeline.ts';
import { MemberFinder } from '../query/resolve/find-members.ts';
import { cubeSeries, findTimeLevel, type MembersOf, markCells } from '../query/time-series/time-series.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { CUBE_TOOLS } from './tools.ts';

const CHOICE =
  'The whole payload: the semantic surface’s, with `query` a CubeQueryRequest. Members whose names are periods are placed in time; members of other levels of time (by their levelType, or in a time dimension) are placed in their order; a level that is neither is refused at `timeAxis`.';

export function analyticsOperations(parts: Dependencies) {
  const { catalogs, recentQueries, analytics: pool } = parts;
  const answerAlong = async (
    query: CubeQueryRequest,
    timeAxis: string,
    scope: UserCaller,
    signal: AbortSignal | undefined,
    isContinued = false,
  ) => {
    const target = await catalogs.find(query.cube, scope, ['query', 'cube']);
    const prepared = await inPart(['query'], () => prepare(query, target, parts, { signal }));
    const time = findTimeLevel(timeAxis, prepared.query);
    const answer = await run(prepared, target, parts, { user: scope.user, signal });
    const queryId = randomUUID();
    await recentQueries.remember(queryId, query, scope);
    const allMembers: MembersOf = (level) => new MemberFinder(target, signal).all(level);
    const table = await cubeSeries(answer, prepared.query, time, isContinued ? allMembers : undefined);
    return { answer, queryId, table };
  };

  return {
    anomaly: operation({
      summary: 'Answer a query and flag what is unusual along its time axis',
      description: 'Masked cells are left out of the scoring.',
      access: 'user',
      answersViewers: true,
      tool: CUBE_TOOLS.anomaly,
      rest: { method: 'POST', path: `${ROOT}/anomaly`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(AnomalyRequest)
      .output(documented(AnomalyResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { query, timeAxis, ...parameters } = input;
        const { answer, queryId, table } = await answerAlong(query, timeAxis, userOf(ctx), signal);
        const report = await findAnomalies(table, parameters, { pool, signal });
        return { ...(await recordsResponse(queryId, markCells(answer, report))), anomaly: report.summary };
      }),

    forecast: operation({
      summary: 'Answer a query and continue its measures along its time axis',
      description: 'Masked cells are taken as missing.',
      access: 'user',
      answersViewers: true,
      tool: CUBE_TOOLS.forecast,
      rest: { method: 'POST', path: `${ROOT}/forecast`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(ForecastRequest)
      .output(documented(ForecastResponse))
      .mutation(async ({ ctx, input, signal }) => {
        const { query, timeAxis, ...parameters } = input;
        const { answer, queryId, table } = await answerAlong(query, timeAxis, userOf(ctx), signal, true);
        const forecast = await makeForecasts(table, parameters, { pool, signal });
        return { ...(await recordsResponse(queryId, answer)), forecast };
      }),
  };
}
