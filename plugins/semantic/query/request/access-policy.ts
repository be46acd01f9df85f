import { LRUCache } from 'lru-cache';
import { isAdministrator, type Scope, visibilityKey } from '../../../../router/capabilities/identity.ts';
import type { RoleRule } from '../../model/extensions.ts';
import type {
  Dataset,
  Metric,
  Model,
  Relationship,
  RowFilter,
  Step,
  ViewerFilter,
  ViewerTest,
} from '../../model/model.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import type { Bound } from '../../model/template.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import { literal } from '../nodes/literals.ts';

/**
 * Returns the model as one caller may see it. Denied fields and metrics are removed, so that every later step reports them
 * as unknown. The `rowFilter` of every dataset that the caller's roles or attributes restrict contains their row predicates
 * and viewer tests.
 *
 * A metric that reads a denied field or uses a denied metric is removed too, unless its own `allow` names a role of the
 * caller.
 */
export function applyAccessPolicy(scope: Scope, model: Model): Model {
  const models = visibleModels.get(model) ?? new LRUCache<string, Model>({ max: MAX_VISIBLE_MODELS });
  visibleModels.set(model, models);
  const key = visibilityKey(scope);
  const visible = models.get(key) ?? visibleModel(scope, model);
  models.set(key, visible);
  return visible;
}

/** Callers with different rights whose visible models are kept for each model. */
const MAX_VISIBLE_MODELS = 32;

/** Visible models by the rights of their callers. A model never changes; a document that changes becomes another model. */
const visibleModels = new WeakMap<Model, LRUCache<string, Model>>();

/** Lists what of a caller may decide which part of a model is visible: visible models are kept by `visibilityKey`, which names no more. */
interface Rights extends Pick<Scope, 'roles' | 'attributes' | 'isAccount'> {
  readonly viewedBy?: Rights | undefined;
}

function visibleModel(rights: Rights, model: Model): Model {
  const rowFilters = rowFiltersOf(model, rights);
  const datasets = new Map(
    [...model.datasets].map(([name, dataset]) => [name, visibleDataset(dataset, rights, rowFilters.get(name))]),
  );
  const metrics = new Map([...model.metrics].filter(([, metric]) => isMetricVisible(metric, model, datasets, rights)));
  return { ...model, datasets, metrics, time: visibleTime(model.time, datasets) };
}

/**
 * Returns the visible part of the time settings. A table's grain is removed if the field of its days or of its keys is
 * denied. If only the field of its labels is denied, it has no labels.
 */
function visibleTime(time: TimeSettings, datasets: ReadonlyMap<string, Dataset>): TimeSettings {
  const tables = time.tables.flatMap((table): readonly PeriodTable[] => {
    const { dataset, date, key, label } = table;
    const has = (field: string) => datasets.get(dataset)?.fields.has(field) ?? false;
    if (!has(date) || !has(key)) return [];
    return [label === undefined || has(label) ? table : { ...table, label: undefined }];
  });
  return { ...time, tables };
}

function visibleDataset(dataset: Dataset, rights: Rights, rowFilter: RowFilter | undefined): Dataset {
  const fields = new Map([...dataset.fields].filter(([, { roles }]) => mayUse(roles, rights)));
  return { ...dataset, fields, rowFilter };
}

/**
 * Returns the row filter of each restricted dataset: its own predicate and viewer tests and, for every relationship to one row of a filtered
 * dataset, the requirement that this row exists and passes that dataset's filter. So a predicate restricts every dataset
 * that reaches its dataset, over any number of steps and along every path, whether or not a request names the dataset.
 */
function rowFiltersOf(model: Model, rights: Rights): ReadonlyMap<string, RowFilter> {
  const own = new Map(
    [...model.datasets.values()].flatMap((dataset) => {
      const predicate = predicateOf(dataset, rights);
      const viewerTests = viewerTestsOf(dataset, model, rights);
      return predicate === undefined && viewerTests.length === 0
        ? []
        : [[dataset.name, { predicate, viewerTests }] as const];
    }),
  );
  if (own.size === 0) return new Map();
  const steps = model.relationships.flatMap(stepsOf);
  const filterOf = (name: string, visited: readonly string[]): RowFilter | undefined => {
    const path = [...visited, name];
    const matches = steps.flatMap((step) => {
      const leads = step.from === name && !path.includes(step.to);
      const rowFilter = leads ? filterOf(step.to, path) : undefined;
      return rowFilter === undefined ? [] : [{ step, rowFilter }];
    });
    const ownFilter = own.get(name);
    if (ownFilter === undefined && matches.length === 0) return undefined;
    return { predicate: ownFilter?.predicate, viewerTests: ownFilter?.viewerTests ?? [], matches };
  };
  return new Map(
    [...model.datasets.keys()].flatMap((name) => {
      const rowFilter = filterOf(name, []);
      return rowFilter === undefined ? [] : [[name, rowFilter] as const];
    }),
  );
}

/** Returns whether a metric uses a metric that the caller may not see. */
function isMadeOfRefused({ uses }: Metric, { metrics }: Model, rights: Rights): boolean {
  return uses.some((name) => {
    const used = metrics.get(name);
    return used !== undefined && !mayUse(used.roles, rights);
  });
}

function isMetricVisible(
  metric: Metric,
  model: Model,
  datasets: ReadonlyMap<string, Dataset>,
  rights: Rights,
): boolean {
  if (!mayUse(metric.roles, rights)) return false;
  if (metric.roles.allow !== undefined) return true;
  if (isMadeOfRefused(metric, model, rights)) return false;
  const has = (one: ReadonlyMap<string, Dataset>, dataset: string, field: string) =>
    one.get(dataset)?.fields.has(field) ?? false;
  return metric.reads.every(
    ({ dataset, field }) => !has(model.datasets, dataset, field) || has(datasets, dataset, field),
  );
}

function mayUse(rule: RoleRule, rights: Rights): boolean {
  const { allow, deny } = rule;
  const { roles, viewedBy } = rights;
  if (roles.some((role) => deny.includes(role))) return false;
  if (allow !== undefined && !roles.some((role) => allow.includes(role))) return false;
  return viewedBy === undefined || mayUse(rule, viewedBy);
}

/**
 * Returns the tests of a dataset's rows by the caller's attributes. A value that is not of the field's type selects no
 * row: the caller cannot correct the attribute.
 */
function viewerTestsOf(dataset: Dataset, model: Model, rights: Rights): readonly ViewerTest[] {
  const { viewerFilters } = dataset;
  if (viewerFilters.length === 0) return [];
  const { roles, isAccount, viewedBy } = rights;
  const isExempt = isAccount === true && roles.some((role) => model.viewerExempt.includes(role));
  return [
    ...(isExempt ? [] : viewerFilters.map((filter) => viewerTest(filter, rights))),
    ...(viewedBy === undefined ? [] : viewerTestsOf(dataset, model, viewedBy)),
  ];
}

function viewerTest({ attribute, ...filter }: ViewerFilter, { attributes = {} }: Rights): ViewerTest {
  const own = Object.hasOwn(attributes, attribute) ? (attributes[attribute] ?? []) : [];
  const values = own.flatMap((value) => {
    const parameter = literal(value, filter.type);
    return typeof parameter === 'string' ? [] : [parameter];
  });
  return { ...filter, values };
}

/** Returns the row predicates of a caller, and of the caller who views as this one; both apply. */
function predicateOf(dataset: Dataset, rights: Rights): Bound | undefined {
  const { viewedBy } = rights;
  const predicate = predicateFor(dataset, rights);
  const outer = viewedBy === undefined ? undefined : predicateOf(dataset, viewedBy);
  if (predicate === undefined || outer === undefined) return predicate ?? outer;
  return ['(', ...predicate, ') AND (', ...outer, ')'];
}

/**
 * Lists the directions in which a relationship restricts rows. Rows of `from` are always restricted by `to`, even if no key
 * proves that `to` has one match, so that access fails closed. Rows of `to` are restricted by `from` where `from` is
 * unique.
 */
function stepsOf({ name, from, to, fromColumns, toColumns, fromIsUnique }: Relationship): readonly Step[] {
  const relationship = name;
  return [
    { relationship, from, to, fromColumns, toColumns },
    ...(fromIsUnique ? [{ relationship, from: to, to: from, fromColumns: toColumns, toColumns: fromColumns }] : []),
  ];
}

/**
 * Returns the row predicate of a caller. A caller with several roles that have a predicate sees the rows that any of them
 * allows. If no role of the caller has one, the caller sees the rows of `*`. Without `*` the caller sees no rows, and an
 * administrator sees all.
 */
function predicateFor({ rowPredicates }: Dataset, rights: Rights): Bound | undefined {
  if (rowPredicates.size === 0) return undefined;
  const predicates = [...rowPredicates]
    .filter(([role]) => rights.roles.includes(role))
    .map(([, predicate]) => predicate);
  if (predicates.length === 0) return rowPredicates.get('*') ?? (isAdministrator(rights) ? undefined : ['1 = 0']);
  return predicates.flatMap((predicate, index): Bound => [index === 0 ? '(' : ' OR (', ...predicate, ')']);
}
