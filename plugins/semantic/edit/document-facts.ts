/** Reads facts of the data of a model: rows, the latest date, samples of values. */
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { Statement } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import type { Entry } from '../catalog.ts';
import { mainDateOf } from '../model/main-date.ts';
import type { Dataset, Model } from '../model/model.ts';
import { renderSource } from '../model/source.ts';
import { renderTemplate } from '../model/template.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import { execute } from '../query/execute/cached-statement.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';

export async function documentFacts(
  entry: Entry,
  caller: Scope,
  dependencies: Pick<Dependencies, 'samples' | 'cache' | 'settings'>,
  signal: AbortSignal | undefined,
) {
  const model = applyAccessPolicy(caller, entry.model);
  const datasets = [];
  for (const dataset of model.datasets.values()) {
    const facts = await dependencies.samples.of(dataset, model, entry, false);
    const counted = await rowsOf(dataset, model, entry, dependencies, signal);
    datasets.push({
      name: dataset.name,
      ...counted,
      fields: [...facts].map(([name, { sampleValues, estimatedDistinct }]) => ({
        name,
        samples: [...sampleValues],
        ...(estimatedDistinct === undefined ? {} : { distinct: estimatedDistinct }),
      })),
    });
  }
  const dataVersion = await entry.warehouse.dataVersion();
  return { ...(dataVersion === undefined ? {} : { dataVersion }), datasets };
}

/** Counts the rows of a dataset, and reads the latest value of its main date where that is its own field. */
async function rowsOf(
  dataset: Dataset,
  model: Model,
  { warehouse, keyPrefix }: Entry,
  { cache, settings }: Pick<Dependencies, 'cache' | 'settings'>,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows?: number; readonly latest?: string }> {
  // A caller who sees only some rows learns nothing about the others.
  if (dataset.rowFilter !== undefined) return {};
  const { dialect } = warehouse;
  const date = mainDateOf(dataset.name, model);
  const expression = date?.dataset === dataset.name ? date.expression : undefined;
  const latest =
    expression === undefined
      ? ''
      : `, MAX(${renderTemplate(expression, dialect, { column: ({ column }) => dialect.identifier(column) })})`;
  const statement: Statement = {
    sql: `SELECT COUNT(*)${latest} FROM ${renderSource(dataset.source, dialect)} AS dataset_rows`,
    parameters: [],
  };
  try {
    const { value } = await execute(statement, {
      warehouse,
      cache,
      keyPrefix,
      ttlMs: settings.cacheTtlMs,
      maxRows: 1,
      signal,
    });
    const last = value.values[1]?.[0];
    return {
      rows: Number(value.values[0]?.[0] ?? 0),
      ...(last === undefined || last === null ? {} : { latest: String(last) }),
    };
  } catch (error) {
    if (error instanceof WarehouseError) return {};
    throw error;
  }
}
