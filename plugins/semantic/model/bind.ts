/** Binds a draft to the columns of the warehouse: expressions over physical columns, with keys and joins checked. */

import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import { cooperativeMap, cooperativeYield } from '../../../router/cooperative-yield.ts';
import { periodTables } from './bind-calendars.ts';
import { MetricBinder } from './bind-metric.ts';
import { bindViewerFilters } from './bind-viewer-filters.ts';
import { type BoundDataset, type BoundField, findColumn, type TypedColumn } from './bound-dataset.ts';
import type { TimeFacts } from './extensions.ts';
import { withMainDates } from './main-date.ts';
import type { Dataset, Field, Metric, Model, Relationship } from './model.ts';
import { ExpressionError } from './parse-sql-expression.ts';
import type { Problems } from './problems.ts';
import type { Draft, DraftDataset, DraftField, DraftMetric, DraftRelationship } from './read-draft.ts';
import { type Bound, fill, leavesOf, type NameLeaf, type Parsed } from './template.ts';
import { DEFAULT_TIME, type TimeSettings } from './time-settings.ts';

/** Binds one dataset's fields to its columns. Fields that cannot be bound are left out, each with a warning. */
export function bindDataset(draft: DraftDataset, columns: readonly TypedColumn[], problems: Problems): BoundDataset {
  const fields = new Map<string, BoundField>();
  for (const field of draft.fields) {
    const bound = bindField(field, draft, columns, problems);
    if (bound !== undefined) fields.set(field.name, bound);
  }
  const personalColumns = new Set(
    [...fields.values()]
      .filter(({ personal }) => personal)
      .flatMap(({ expression }) => leavesOf(expression).map(({ column }) => column)),
  );
  for (const [name, field] of fields) {
    if (field.personal || field.draft.facts.pii === false) continue;
    const read = leavesOf(field.expression).find(({ column }) => personalColumns.has(column));
    if (read === undefined) continue;
    problems.warn(
      field.draft.place,
      'left out: it reads a column that another field marks as personal data. If it gives nothing personal away, say "pii": false in its SERVICE extension.',
    );
    fields.set(name, { ...field, personal: true });
  }
  return { draft, columns, fields, personalColumns };
}

function bindField(
  field: DraftField,
  dataset: DraftDataset,
  columns: readonly TypedColumn[],
  problems: Problems,
): BoundField | undefined {
  const personal = field.facts.pii === true;
  if (field.expression === undefined) {
    if (personal) {
      problems.error(
        field.place,
        'it is marked as personal data but its expression cannot be read, so nobody knows which columns to hide.',
      );
    }
    return undefined;
  }
  try {
    const expression = bindColumns(field.expression.template, dataset, columns);
    const [only] = expression;
    const plain =
      expression.length === 1 && typeof only === 'object' && only.kind === 'column'
        ? columns.find(({ name }) => name === only.column)
        : undefined;
    return { draft: field, expression, type: plain, personal };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (personal) problems.error(field.place, `it is marked as personal data, but its expression ${error.message}.`);
    else problems.warn(field.place, `left out: its expression ${error.message}.`);
    return undefined;
  }
}

/** Binds an expression of one dataset, with physical columns as its names. */
function bindColumns(template: Parsed, dataset: DraftDataset, columns: readonly TypedColumn[]): Bound {
  return fill(template, (leaf: NameLeaf) => {
    if (leaf.qualifier !== undefined && !qualifies(leaf.qualifier, dataset)) {
      throw new ExpressionError(`names ${leaf.qualifier}.${leaf.name}, but may only read ${dataset.name}`);
    }
    const column = findColumn(leaf.name, columns);
    if (column === undefined) {
      throw new ExpressionError(`names ${leaf.name}, which is not a column of ${dataset.name}`);
    }
    return [{ kind: 'column', dataset: dataset.name, column: column.name }];
  });
}

function qualifies(qualifier: string, { name, source }: DraftDataset): boolean {
  const foldedQualifier = qualifier.toLowerCase();
  return (
    name.toLowerCase() === foldedQualifier ||
    (source.kind === 'table' && source.table.name.toLowerCase() === foldedQualifier)
  );
}

export type FieldTypes = ReadonlyMap<BoundField, { readonly type: ScalarType; readonly nativeType: string }>;

/** Joins the bound datasets into a model. Yields to the event loop now and then. */
export async function bindModel(
  draft: Draft,
  bound: readonly BoundDataset[],
  types: FieldTypes,
  problems: Problems,
): Promise<Model> {
  const yieldTurn = cooperativeYield();
  const finished = await cooperativeMap(bound, yieldTurn, (one) => finishDataset(one, draft, types, problems), 1);
  const datasetsByName = new Map(finished.map((one) => [one.name, one]));
  const relationships = draft.relationships.flatMap((one) => bindRelationship(one, bound, datasetsByName, problems));
  const datasets = withMainDates(datasetsByName, draft.datasets, relationships, problems);
  const factDataset = factOf(draft);
  const time = timeOf(draft.facts.time, datasets, (message) =>
    problems.warn([...draft.place, 'custom_extensions'], message),
  );
  const binder = new MetricBinder(draft.metrics, bound, datasets, relationships, factDataset, time, problems);
  const bindOne = (metric: DraftMetric) => binder.metric(metric);
  const metrics = new Map<string, Metric>();
  for (const metric of await cooperativeMap(draft.metrics, yieldTurn, bindOne, 1)) {
    if (metric !== undefined) metrics.set(metric.name, metric);
  }
  return Object.freeze({
    name: draft.name,
    description: draft.description ?? '',
    ...draft.ai,
    datasets,
    relationships,
    metrics,
    factDataset,
    time,
    viewerAttributes: draft.facts.viewers.attributes,
    viewerExempt: draft.facts.viewers.exempt,
    certified: draft.facts.certified,
    // They are bound when the metrics that can be computed are known.
    rollups: [],
    ontology: draft.ontology,
    extensions: draft.facts.extensions,
  });
}

function timeOf(
  { timezone, firstDay, locale, calendars, calendarTables = [] }: TimeFacts,
  datasets: ReadonlyMap<string, Dataset>,
  warn: (message: string) => void,
): TimeSettings {
  return Object.freeze({
    timezone,
    firstDay: firstDay ?? DEFAULT_TIME.firstDay,
    locale: locale ?? DEFAULT_TIME.locale,
    calendars: calendars ?? DEFAULT_TIME.calendars,
    tables: periodTables(calendarTables, datasets, warn),
  });
}

/** Returns the first dataset that is never on the `to` side of a relationship; in a circle, the first of all. */
function factOf({ datasets, relationships }: Draft): string {
  const reached = new Set(relationships.map(({ to }) => to));
  const fact = datasets.find(({ name }) => !reached.has(name)) ?? datasets[0];
  return fact?.name ?? '';
}

function finishDataset(bound: BoundDataset, { facts }: Draft, types: FieldTypes, problems: Problems): Dataset {
  const { draft } = bound;
  const fields = new Map<string, Field>();
  for (const [name, field] of bound.fields) {
    const type = field.type ?? types.get(field);
    if (field.personal || type === undefined) continue;
    fields.set(
      name,
      Object.freeze({
        name,
        dataset: draft.name,
        label: field.draft.facts.display.caption ?? field.draft.label ?? name,
        description: field.draft.description,
        ...field.draft.ai,
        isTime: field.draft.isTime,
        isLocalTime: field.draft.facts.time.isLocal ?? false,
        expression: field.expression,
        type: type.type,
        nativeType: type.nativeType,
        display: field.draft.facts.display,
        roles: field.draft.facts.roles,
        extensions: field.draft.facts.extensions,
      }),
    );
  }
  const key = (names: readonly string[], what: string) => keyColumns(names, bound, what, problems);
  const primaryKey = key(draft.primaryKey, 'primary_key') ?? [];
  const keys = [primaryKey, ...draft.uniqueKeys.map((names) => key(names, 'unique_keys') ?? [])];
  return Object.freeze({
    name: draft.name,
    alias: draft.alias,
    description: draft.description,
    ...draft.ai,
    source: draft.source,
    primaryKey,
    keys: keys.filter((columns) => columns.length > 0),
    rowKey:
      primaryKey.length > 0 ? primaryKey : keys.find((columns) => columns.length > 0 && neverNull(columns, bound)),
    fields,
    mainDate: undefined,
    rowPredicates: new Map(
      draft.rowPredicates.flatMap(([role, condition]) => bindPredicate(role, condition.template, bound, problems)),
    ),
    viewerFilters: bindViewerFilters(
      bound,
      facts.viewers.attributes,
      (field) => field.type ?? types.get(field),
      problems,
    ),
    rowFilter: undefined,
    extensions: draft.facts.extensions,
  });
}

function neverNull(columns: readonly string[], bound: BoundDataset): boolean {
  return columns.every((column) => findColumn(column, bound.columns)?.nullable === false);
}

function bindPredicate(
  role: string,
  condition: Parsed,
  bound: BoundDataset,
  problems: Problems,
): readonly (readonly [string, Bound])[] {
  try {
    return [[role, bindColumns(condition, bound.draft, bound.columns)]];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    problems.error(bound.draft.place, `the row predicate of ${role} ${error.message}.`);
    return [];
  }
}

function keyColumns(
  names: readonly string[],
  bound: BoundDataset,
  what: string,
  problems: Problems,
): readonly string[] | undefined {
  const columns = names.map((name) => physicalColumn(name, bound));
  const missing = names.filter((_, index) => columns[index] === undefined);
  if (missing.length === 0) return columns.filter((column) => column !== undefined);
  problems.error([...bound.draft.place, what], `${what} names ${missing.join(', ')}, which is not a column of it.`);
  return undefined;
}

/** Finds the physical column that a key or a relationship names. It may also name a field that is one plain column. */
function physicalColumn(name: string, { columns, fields }: BoundDataset): string | undefined {
  const column = findColumn(name, columns);
  if (column !== undefined) return column.name;
  const field = fields.get(name);
  return field?.type !== undefined && 'name' in field.type ? String(field.type.name) : undefined;
}

function bindRelationship(
  draft: DraftRelationship,
  bound: readonly BoundDataset[],
  datasets: ReadonlyMap<string, Dataset>,
  problems: Problems,
): readonly Relationship[] {
  const sides = [draft.from, draft.to].map((name) => bound.find((one) => one.draft.name === name));
  const [from, to] = sides;
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? draft.from : draft.to;
    problems.error(draft.place, `it names the dataset ${missing}, which the model does not have.`);
    return [];
  }
  if (draft.from_columns.length !== draft.to_columns.length) {
    problems.error(draft.place, 'from_columns and to_columns must be of one length.');
    return [];
  }
  const fromColumns = keyColumnsOf(draft.from_columns, from, draft, problems);
  const toColumns = keyColumnsOf(draft.to_columns, to, draft, problems);
  if (fromColumns === undefined || toColumns === undefined) return [];
  const toIsUnique = holdsKey(toColumns, datasets.get(draft.to));
  const fromIsUnique = holdsKey(fromColumns, datasets.get(draft.from));
  if (!toIsUnique) {
    problems.warn(draft.place, whyNoPath({ to: draft.to, toColumns }));
  }
  return [
    Object.freeze({
      name: draft.name,
      label: draft.label,
      from: draft.from,
      to: draft.to,
      fromColumns,
      toColumns,
      toIsUnique,
      fromIsUnique,
      extensions: draft.extensions,
    }),
  ];
}

/** Explains why a relationship is not followed in a direction where a row may have several matches. */
export function whyNoPath({ to, toColumns }: Pick<Relationship, 'to' | 'toColumns'>): string {
  return `${toColumns.join(', ')} is no key of ${to}, so it cannot be joined without counting rows twice; name the key in primary_key or unique_keys.`;
}

function keyColumnsOf(
  names: readonly string[],
  bound: BoundDataset,
  { place }: DraftRelationship,
  problems: Problems,
): readonly string[] | undefined {
  const columns = names.map((name) => physicalColumn(name, bound));
  const missing = names.filter((_, index) => columns[index] === undefined);
  if (missing.length === 0) return columns.filter((column) => column !== undefined);
  problems.error(place, `it names ${missing.join(', ')}, which is not a column of ${bound.draft.name}.`);
  return undefined;
}

function holdsKey(columns: readonly string[], dataset: Dataset | undefined): boolean {
  return dataset?.keys.some((key) => key.every((column) => columns.includes(column))) ?? false;
}
