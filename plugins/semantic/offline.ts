/** The semantic surface without the server. */
import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import { inPart } from '../../router/errors.ts';
import { analysed, inlinePool } from '../analytics/index.ts';
import type { OfflineRequest, Unusable } from '../query-surface/index.ts';
import { loadModel } from './load.ts';
import { axisFields } from './query/axis-fields.ts';
import { withTimeOf } from './query/grain/time-ready.ts';
import { answer, compile, type QuerySettings } from './query/pipeline.ts';
import { ReferentialIntegrity } from './query/referential-integrity.ts';
import { parseRequest } from './request.ts';

/**
 * Answers one typed request of the model in a document, as the served surface does.
 * @throws ServiceError for a mistake in the request, and for what the warehouse refuses
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
  analytics,
}: OfflineRequest<QuerySettings>): Promise<TabularAnswer | Unusable> {
  const asked = parseRequest(request);
  const warehouse = await warehouses.open(datasource.warehouse);
  const { model, problems } = await loadModel(datasource, text, warehouse);
  if (model === undefined) {
    const first = problems.find(({ severity }) => severity === 'error');
    return { unusable: `The model of ${datasource.name} cannot be used: ${first?.message ?? ''}` };
  }
  if (asked.model !== undefined && asked.model !== model.name)
    return { unusable: `The connection ${datasource.name} has no model ${asked.model}; it has ${model.name}.` };
  const integrity = new ReferentialIntegrity(model, warehouse, log);
  try {
    const loaded = { model, warehouse, keyPrefix: ['query'], integrity };
    const target = await withTimeOf(asked, loaded, scope, { cache, settings, signal: undefined });
    const part = analytics === undefined ? [] : ['query'];
    const compiled = await inPart(part, () => compile(asked, target, scope, { ...settings, clock: Date.now }));
    const answered = await answer(compiled, target, cache, settings);
    if (analytics === undefined) return answered;
    const { request: analysis, onProgress } = analytics;
    const fields = axisFields(compiled.plan.groups, asked);
    return await analysed(answered, analysis, fields, { pool: inlinePool, signal: undefined, onProgress });
  } finally {
    integrity.close();
  }
}
