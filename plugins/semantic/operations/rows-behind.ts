/** Answers the rows behind one row of a saved query. */
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { RowsOptions, TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../router/errors.ts';
import { groupOf, isMetricFilter } from '../filter-schemas.ts';
import type { Dataset, Field, Model } from '../model/model.ts';
import { type Engine, type Prepared, prepare, run } from '../prepare.ts';
import type { JoinTree } from '../query/nodes/plan.ts';
import { compile, compileDetail } from '../query/pipeline.ts';
import { applyAccessPolicy } from '../query/request/access-policy.ts';
import { conditionsAt, drilledRequest, withDrill } from '../query/request/drill-down.ts';
import { dimensionsOf, rawKeyOf, referenceOf } from '../query/request/runtime-filters.ts';
import type { FieldItem, FilterNode, SemanticQueryRequest } from '../schemas.ts';

/** Fields that are shown where the author names none. */
const MAX_FIELDS = 16;

/**
 * Answers the rows behind one row of an answer. First the answer is narrowed to that row: where it is not shown there are
 * no rows, and where it is masked they stay hidden.
 *
 * @throws ValidationError at `at` where the values are not those of the shown dimensions
 */
export async function rowsBehind(
  whole: SemanticQueryRequest,
  scope: Scope,
  { drill = { down: [], steps: [] }, at, fields, limit, runtimeFilters = [], signal }: RowsOptions,
  engine: Engine,
): Promise<TabularAnswer> {
  const drilled = drilledRequest(whole, drill);
  const shown = dimensionsOf(drilled.request);
  if (shown.some((key) => at[key] === undefined) || Object.keys(at).length > shown.length)
    throw ValidationError.at(['at'], `at needs a value of each dimension: ${shown.join(', ')}.`, shown);
  const conditions = [...runtimeFilters, ...drilled.conditions, ...conditionsAt(at)];
  const prepared = await prepare(drilled.request, scope, engine, {
    signal,
    compileRequest: (asked, ...rest) => withDrill(drilled, conditions, asked, (narrowed) => compile(narrowed, ...rest)),
  });
  const { meta, records, ...row } = await run(prepared, engine, signal);
  if (meta.suppressed !== undefined || records.length === 0)
    return {
      ...row,
      columns: [],
      records: [],
      meta: { ...meta, rowCount: 0, truncated: false },
    };
  const model = applyAccessPolicy(scope, prepared.target.model);
  const named = fields?.map((key) => referenceOf(key, {})) ?? fieldsOf(prepared, model, drilled.request);
  const key = keyFieldsOf(prepared, model).filter(
    (item) => !named.some((each) => each.dataset === item.dataset && each.field === item.field),
  );
  const detail = await prepare(detailRequest(drilled.request, [...named, ...key]), scope, engine, {
    signal,
    compileRequest: (asked, ...rest) =>
      withDrill(drilled, conditions, asked, (narrowed) => compileDetail(narrowed, ...rest, limit)),
  });
  const answer = await run(detail, engine, signal);
  // Two rows with the same shown values are two rows: the key told them apart, and is not shown.
  const hidden = new Set(key.map(rawKeyOf));
  return { ...answer, columns: answer.columns.filter((column) => !hidden.has(column.key)) };
}

/** Returns the request of the rows: without what only its groups have. */
function detailRequest(request: SemanticQueryRequest, rows: readonly FieldItem[]): SemanticQueryRequest {
  const { filters = [], values = [], sorts: _, limit: __, ...rest } = request;
  const [about] = values;
  return {
    ...rest,
    rows: [...rows],
    columns: [],
    // One metric says which rows are meant, where the fields meet in several datasets.
    values: about === undefined ? [] : [{ metric: about.metric, aggregation: about.aggregation }],
    filters: filters.filter((node) => !testsGroups(node)),
  };
}

/** Returns whether a filter tests a metric of the answer's own groups. The answer has passed it. */
function testsGroups(node: FilterNode): boolean {
  return groupOf(node)?.of.some(testsGroups) ?? (isMetricFilter(node) && node.per === undefined);
}

/** Lists the fields of the aggregated rows, then of what they are joined with. The shown dimensions have one value and are left out. */
function fieldsOf({ compiled }: Prepared, model: Model, request: SemanticQueryRequest): readonly FieldItem[] {
  const [facts] = compiled.plan.subqueries;
  const datasets = facts === undefined ? [] : [facts.base, ...datasetsOf(facts.tree)];
  const shown = dimensionsOf(request);
  const fields = [...new Set(datasets)]
    .flatMap((name) => [...(model.datasets.get(name)?.fields.values() ?? [])])
    .map(({ dataset, name }): FieldItem => ({ dataset, field: name }))
    .filter((item) => !shown.includes(rawKeyOf(item)));
  return fields.length > 0 ? fields.slice(0, MAX_FIELDS) : shown.map((key) => referenceOf(key, request));
}

function datasetsOf({ root, bridge, joins }: JoinTree): readonly string[] {
  return [root, ...[...bridge, ...joins].map(({ node }) => node)].map(({ dataset }) => dataset);
}

/** Lists the fields that are the key of the aggregated rows; none where the caller sees no such fields. */
function keyFieldsOf({ compiled }: Prepared, model: Model): readonly FieldItem[] {
  const base = compiled.plan.subqueries[0]?.base;
  const dataset = base === undefined ? undefined : model.datasets.get(base);
  const key = dataset?.rowKey ?? [];
  const fields = key.flatMap((column) => fieldOfColumn(dataset, column) ?? []);
  return fields.length < key.length ? [] : fields.map(({ dataset: of, name }) => ({ dataset: of, field: name }));
}

/** Finds the field that is a column as it is, perhaps in parentheses. */
function fieldOfColumn(dataset: Dataset | undefined, column: string): Field | undefined {
  return [...(dataset?.fields.values() ?? [])].find(({ expression }) => {
    const [leaf, ...more] = expression.filter((part) => typeof part !== 'string' || !/^[\s()]*$/.test(part));
    return typeof leaf === 'object' && more.length === 0 && leaf.kind === 'column' && leaf.column === column;
  });
}
