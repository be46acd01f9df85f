/** Computes the value of one metric for all data, as a draft of its model defines it. Nothing is written. */
import type { UserCaller } from '../../../router/capabilities/identity.ts';
import { ValidationError, WarehouseError } from '../../../router/errors.ts';
import { loadModel } from '../load.ts';
import { type Engine, prepare, run } from '../prepare.ts';
import { ReferentialIntegrity } from '../query/execute/referential-integrity.ts';
import { type EditingParts, type OpeningParts, openDocument } from './propose-change.ts';
import type { MetricTrial } from './schemas.ts';
import { versionOf } from './versions.ts';

export interface TriedMetric {
  readonly value?: string | number | boolean | null;
  readonly formatted?: string;
  /** The reason why the draft has no value of it. */
  readonly refused?: string;
}

export type TrialParts = OpeningParts & Pick<EditingParts, 'reader' | 'edit' | 'log' | 'cache' | 'settings'>;

/**
 * @throws ValidationError for edits of something that the model does not have
 * @throws ConflictError for a draft of an earlier version
 */
export async function tryMetric(
  { id, version, edits, metric }: MetricTrial,
  caller: UserCaller,
  parts: TrialParts,
  signal: AbortSignal | undefined,
): Promise<TriedMetric> {
  const { datasource, before, warehouse } = await openDocument({ id, version }, caller, parts);
  const document = { text: before, schema: datasource.schema, engine: warehouse.dialect };
  const { text } = edits.length === 0 ? { text: before } : await parts.edit(document, edits);
  const { model, problems } = await loadModel(datasource, text, warehouse, parts.reader);
  const own = `metric ${metric}: `;
  const problem =
    problems.find(({ message }) => message.startsWith(own)) ?? problems.find(({ severity }) => severity === 'error');
  if (model === undefined || !model.metrics.has(metric))
    return { refused: problem?.message.replace(own, '') ?? `The model has no metric ${metric}.` };
  const integrity = new ReferentialIntegrity(model, warehouse, parts.log);
  const keyPrefix = ['proposal', caller.tenant, datasource.id, versionOf(text)];
  const engine: Engine = {
    catalogs: { find: async () => ({ model, warehouse, keyPrefix, integrity }) },
    cache: parts.cache,
    settings: parts.settings,
  };
  try {
    const request = { connection: datasource.name, values: [{ metric }] };
    const { records } = await run(await prepare(request, caller, engine, { signal }), engine, signal);
    const cell = records[0]?.[metric];
    if (typeof cell !== 'object' || cell === null) return { value: null };
    const { value, formatted } = cell;
    return { value, ...(formatted === null ? {} : { formatted }) };
  } catch (error) {
    if (error instanceof ValidationError || error instanceof WarehouseError) return { refused: error.message };
    throw error;
  } finally {
    integrity.close();
  }
}
