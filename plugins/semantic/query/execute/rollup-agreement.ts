/** Compares a roll-up with its dataset: whether each of its rows has the values that the rows of the dataset have. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { TableInfo, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { MAX_CHECK_MS, rowsThatDiffer, type Sql, type SqlPart } from '../../../query-surface/index.ts';
import type { Model, Rollup } from '../../model/model.ts';
import { grainOf } from '../nodes/grain.ts';
import type { FactSubquery } from '../nodes/plan.ts';
import { DEFAULT_REWRITES } from '../nodes/rewrites.ts';
import { plan } from '../plan/planner.ts';
import { RowsRenderer } from '../render/rows.ts';
import { SubqueryRenderer } from '../render/subquery.ts';
import { isStored } from './dataset-figures.ts';

/**
 * Returns whether a roll-up has the same groups and values as its dataset; `undefined` where rows of either may change
 * within a version of the data.
 */
export async function agrees(
  rollup: Rollup,
  model: Model,
  warehouse: Warehouse,
  { tables, signal }: { readonly tables: readonly TableInfo[]; readonly signal: AbortSignal },
): Promise<boolean | undefined> {
  const subqueries = subqueriesOf(rollup, model);
  const read = subqueries.flatMap(({ tree: { root, joins } }) => [root, ...joins.map(({ node }) => node)]);
  const datasets = read.map(({ dataset }) => model.datasets.get(dataset));
  if (![rollup.table, ...datasets].every((one) => one !== undefined && isStored(one, tables))) return undefined;
  for (const subquery of subqueries) {
    const { rolledUp } = subquery;
    if (rolledUp?.rollup !== rollup.name) return undefined;
    const { dialect } = warehouse;
    const statement = differences(subquery, rolledUp.subquery, model, dialect).print(dialect);
    const { rowCount } = await warehouse.query(statement, { maxRows: 1, signal, timeoutMs: MAX_CHECK_MS });
    if (rowCount > 0) return false;
  }
  return true;
}

/** Returns the subqueries that compute all metrics of a roll-up by all of its fields. */
export function subqueriesOf(rollup: Rollup, model: Model): readonly FactSubquery[] {
  const query = {
    rows: rollup.fields.map(({ field, path, grain }) => {
      return { path: [], field, via: path, grain: grain && grainOf(grain, field, model.time) };
    }),
    columns: [],
    values: rollup.metrics.flatMap(({ metric: name }) => {
      const metric = model.metrics.get(name);
      return metric === undefined ? [] : [{ path: [], metric, aggregation: undefined }];
    }),
    conditions: [],
    having: [],
    sorts: [],
    time: model.time,
    limit: undefined,
  };
  // Texts that a collation takes for equal are equal here, too.
  const settings = { maxRows: 1, threshold: 0, hasCollations: false };
  return plan(query, { ...model, rollups: [rollup] }, { ...settings, useOf: () => 'declared' }).subqueries;
}

/** Writes the query of the groups that only the dataset or only the roll-up has, or that have other values there. */
export function differences(subquery: FactSubquery, stored: FactSubquery, model: Model, dialect: Dialect): Sql {
  const renderer = new SubqueryRenderer(new RowsRenderer(model, dialect), dialect, DEFAULT_REWRITES);
  const select = (one: FactSubquery): SqlPart =>
    renderer.select({ ...one, groupsKeysFirst: false }, one.groups, [
      ...one.aggregates.map(
        (_, index) => `${renderer.aggregate({ ...one, groupsKeysFirst: false }, index)} AS a${index}`,
      ),
      ...(stored.countedBy === undefined ? [] : [`${renderer.rowCount({ ...one, groupsKeysFirst: false })} AS n`]),
    ]);
  return rowsThatDiffer(select(subquery), select(stored), dialect);
}
