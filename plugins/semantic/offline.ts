/** The semantic surface without the server. */

import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import { parseInput } from '../../router/parse-input.ts';
import { analysed, inlinePool } from '../analytics/index.ts';
import type { OfflineRequest, Unusable } from '../query-surface/index.ts';
import { loadModel } from './load.ts';
import { type Engine, prepare, run } from './prepare.ts';
import { axisFields } from './query/answer/axis-fields.ts';
import { withAxes } from './query/answer/with-axes.ts';
import { ReferentialIntegrity } from './query/execute/referential-integrity.ts';
import type { QuerySettings } from './query/nodes/query-target.ts';
import { othersRequest } from './query/request/others.ts';
import { SemanticQueryRequest } from './schemas.ts';

/**
 * Answers one typed request to the model in a document, as the server does.
 *
 * @throws ServiceError for a mistake in the request, and for a refusal of the warehouse
 */
export async function answerOffline({
  request,
  datasource,
  text,
  warehouses,
  cache,
  scope,
  settings,
  log,
  others,
  analytics,
}: OfflineRequest<QuerySettings>): Promise<TabularAnswer | Unusable> {
  const whole = parseInput(SemanticQueryRequest, request);
  const query = others === undefined ? whole : othersRequest(whole, others);
  const warehouse = await warehouses.open(datasource.warehouse);
  const { model, problems } = await loadModel(datasource, text, warehouse);
  if (model === undefined) {
    const first = problems.find(({ severity }) => severity === 'error');
    return { unusable: `The model of ${datasource.name} cannot be used: ${first?.message ?? ''}` };
  }
  if (query.model !== undefined && query.model !== model.name)
    return { unusable: `The connection ${datasource.name} has no model ${query.model}; it has ${model.name}.` };
  const integrity = new ReferentialIntegrity(model, warehouse, log);
  try {
    const engine: Engine = {
      catalogs: { find: async () => ({ model, warehouse, keyPrefix: ['query'], integrity }) },
      cache,
      settings: { ...settings, clock: Date.now },
    };
    // A command that is interrupted ends with its process.
    const signal = undefined;
    const prepared = await prepare(query, scope, engine, { signal, part: analytics === undefined ? [] : ['query'] });
    const answer = withAxes(await run(prepared, engine, signal), query);
    if (analytics === undefined) return answer;
    const { request: analysis, onProgress } = analytics;
    const fields = axisFields(prepared.compiled.plan.groups, query);
    return await analysed(answer, analysis, fields, { pool: inlinePool, signal, onProgress });
  } finally {
    integrity.close();
  }
}
