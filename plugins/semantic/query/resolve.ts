/** Request -> names found in the model the caller may see. Every mistake of the body is found in one pass. */

import type { BoundLimits } from '../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../router/capabilities/warehouse.ts';
import { type DateGrain, grainsOf, isGrainOf } from '../../../router/date-grains.ts';
import { InternalError, type Problem, ValidationError } from '../../../router/errors.ts';
import { hasArity, type OperatorOf, operatorsOf } from '../../../router/filter-operators.ts';
import { MAX_PROBLEMS } from '../../../router/limits.ts';
import { short } from '../../../router/short.ts';
import { isLocale, zoneNamed, zoneNames } from '../../../router/time-zone.ts';
import { MAX_FILTERS, match, type Named, nearestFirst, RELATIVE_PERIOD_NAMES } from '../../query-surface/index.ts';
import { groupOf } from '../filter-schemas.ts';
import { MAX_ALTERNATIVES, MAX_VALUES } from '../limits.ts';
import type { Dataset, Field, Model } from '../model/model.ts';
import { leavesOf } from '../model/template.ts';
import type { TimeSettings } from '../model/time-settings.ts';
import type { FieldItem, FilterItem, FilterNode, SemanticQueryRequest, SortItem, ValueItem } from '../schemas.ts';
import { incomparableReason, isOfColumn } from './comparable.ts';
import { fieldAtGrain, grainOf, type ResolvedGrain } from './grain/grain.ts';
import { grainLiteral } from './grain/literal.ts';
import { relativeBounds } from './grain/relative.ts';
import { type LiteralValue, literal } from './literals.ts';
import { JoinGraph } from './paths.ts';
import type {
  Condition,
  FieldInRole,
  Predicate,
  ResolvedFilter,
  ResolvedGroup,
  ResolvedQuery,
  ResolvedSort,
  ResolvedValue,
} from './resolved.ts';
import { VIA_SEPARATOR, viasOf, waysTo } from './ways.ts';

export interface ResolveOptions {
  /** Path of the request in a body that wraps it. */
  readonly root?: string | undefined;
  /** What values the engine takes; without it all of them are let through. */
  readonly holds?: BoundLimits | undefined;
  /** The present, which relative periods count to; needed where the statement is run. */
  readonly now?: number | undefined;
}

/**
 * Finds the names of a request.
 *
 * @throws ValidationError with every problem found
 */
export function resolve(
  request: SemanticQueryRequest,
  model: Model,
  { root = '', holds, now = 0 }: ResolveOptions = {},
): ResolvedQuery {
  return new Resolver(model, root, holds, now).query(request);
}

/** One field by its names, which stand in the members `dataset` and `field`. */
export function resolveField(item: FieldItem, model: Model): Field {
  return new Resolver(model, '').oneField(item);
}

class Resolver {
  readonly #model: Model;
  readonly #root: string;
  readonly #holds: BoundLimits | undefined;
  readonly #now: number;
  readonly #problems: Problem[] = [];
  #moreProblems = 0;
  #time: TimeSettings;
  /** Datasets whose rows the request's metrics aggregate. */
  #metricDatasets: readonly string[] = [];

  constructor(model: Model, root: string, holds?: BoundLimits, now = 0) {
    this.#now = now;
    this.#holds = holds;
    this.#model = model;
    this.#time = model.time;
    this.#root = root === '' ? '' : `${root}.`;
  }

  query(request: SemanticQueryRequest): ResolvedQuery {
    const { rows = [], columns = [], values = [], filters = [], sorts = [], limit } = request;
    this.#refuseManyValues(filters);
    this.#time = this.#timeOf(request);
    if (rows.length + columns.length + values.length === 0) {
      this.#problem('values', 'Name at least one field in rows or columns, or one metric in values.', [
        ...this.#model.metrics.keys(),
      ]);
    }
    this.#metricDatasets = values.flatMap((item) => this.#datasetsOf(item));
    const foundRows = this.#groups('rows', rows);
    const foundColumns = this.#groups('columns', columns);
    const groups = [...foundRows, ...foundColumns];
    this.#refuseTwice(groups, keyOf, (key) => `The field ${key} is there twice.`);
    const foundValues = values.flatMap((item, index) => this.#value(item, `values[${index}]`));
    this.#refuseTwice(
      foundValues,
      ({ metric }) => metric.name,
      (key) => `The metric ${key} is there twice.`,
    );
    const conditions = this.#conditions(filters, 'filters');
    // Sorts are looked up among what the request shows; when that is wrong already, saying it twice helps nobody.
    const complete = this.#problems.length === 0;
    const foundSorts = sorts.flatMap((item, index) =>
      this.#sort(item, `sorts[${index}]`, groups, foundValues, complete),
    );
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw new ValidationError([first, ...others], this.#moreProblems);
    return {
      rows: foundRows,
      columns: foundColumns,
      values: foundValues,
      conditions,
      sorts: foundSorts,
      limit,
    };
  }

  /** Every value is bound to the statement, of which no engine takes any number. */
  #refuseManyValues(filters: readonly FilterNode[]): void {
    let given = 0;
    let conditions = 0;
    const count = (nodes: readonly FilterNode[], path: string): void => {
      for (const [index, node] of nodes.entries()) {
        const at = `${path}[${index}]`;
        const group = groupOf(node);
        if (group !== undefined) {
          count(group.of, `${at}.${group.kind}`);
          continue;
        }
        conditions += 1;
        given += 'values' in node ? (node.values?.length ?? 0) : 0;
        if (given > MAX_VALUES) {
          throw ValidationError.at(`${at}.values`, `Filters take at most ${MAX_VALUES} values in all.`);
        }
        if (conditions > MAX_FILTERS) throw ValidationError.at(at, `There are at most ${MAX_FILTERS} filters in all.`);
      }
    };
    count(filters, `${this.#root}filters`);
  }

  #conditions(nodes: readonly FilterNode[], path: string): readonly Condition[] {
    return nodes.flatMap((node, index): readonly Condition[] => {
      const at = `${path}[${index}]`;
      const group = groupOf(node);
      if (group !== undefined) return [{ kind: group.kind, of: this.#conditions(group.of, `${at}.${group.kind}`) }];
      return 'field' in node ? this.#filter(node, at).map((filter) => ({ kind: 'filter', filter })) : [];
    });
  }

  oneField(item: FieldItem): Field {
    const field = this.#field(item, '');
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw new ValidationError([first, ...others], this.#moreProblems);
    if (field === undefined) throw new InternalError('a field was neither found nor refused');
    return field;
  }

  /** Candidates given as a function are only looked for when the problem is one of those told. */
  #problem(path: string, message: string, available?: readonly string[] | (() => readonly string[])): void {
    this.#problemAt(`${this.#root}${path}`, message, available);
  }

  #problemAt(field: string, message: string, available?: readonly string[] | (() => readonly string[])): void {
    if (this.#problems.length >= MAX_PROBLEMS) this.#moreProblems++;
    else {
      const candidates = typeof available === 'function' ? available() : available;
      this.#problems.push({ field, message, available: candidates });
    }
  }

  #groups(member: 'rows' | 'columns', items: readonly FieldItem[]): readonly ResolvedGroup[] {
    return items.flatMap((item, index) => {
      const path = `${member}[${index}]`;
      const field = this.#field(item, path);
      const via = this.#via(item.via, field, path);
      const grain = this.#grain(item.grain, field, path);
      return field === undefined ? [] : [{ path: `${this.#root}${path}`, field, via, grain }];
    });
  }

  #grain(name: FieldItem['grain'], field: Field | undefined, path: string): ResolvedGrain | undefined {
    if (name === undefined || field === undefined) return undefined;
    const grain = grainOf(name, field, this.#time);
    if (grain === undefined) {
      const grains = grainsOf(field.type);
      const message =
        grains.length === 0
          ? `${field.dataset}.${field.name} is no date, and has no grain.`
          : `${field.dataset}.${field.name} has no time of day, and no grain "${name}".`;
      this.#problem(`${path}.grain`, message, nearestFirst(name, grains));
    }
    return grain;
  }

  /** What the request says of clocks, else what the model says. */
  #timeOf({ timezone, locale }: SemanticQueryRequest): TimeSettings {
    const zone = timezone === undefined ? undefined : zoneNamed(timezone);
    if (timezone !== undefined && zone === undefined) {
      this.#problem('timezone', `There is no time zone "${short(timezone)}".`, () =>
        nearestFirst(timezone, zoneNames()),
      );
    }
    if (locale !== undefined && !isLocale(locale)) {
      this.#problem('locale', `"${short(locale)}" is no language tag such as en-US.`);
    }
    const { time } = this.#model;
    return {
      ...time,
      timezone: zone ?? time.timezone,
      locale: locale !== undefined && isLocale(locale) ? locale : time.locale,
    };
  }

  #refuseTwice<Item extends { readonly path: string }>(
    items: readonly Item[],
    key: (item: Item) => string,
    message: (key: string) => string,
  ): void {
    const seen = new Set<string>();
    for (const item of items) {
      if (seen.has(key(item))) this.#problemAt(item.path, message(key(item)));
      seen.add(key(item));
    }
  }

  #field({ dataset, field }: FieldItem, path: string): Field | undefined {
    const at = path === '' ? '' : `${path}.`;
    const found = this.#named(dataset, [...this.#model.datasets.values()], `${at}dataset`, 'dataset');
    if (found === undefined) return undefined;
    return this.#named(field, [...found.fields.values()], `${at}field`, 'field', ` in ${found.name}`);
  }

  /** Names of relationships, in the model's spelling. One text may hold several, as `available` and column keys do. */
  #via(via: FieldItem['via'], field: Field | undefined, path: string): readonly string[] {
    if (via === undefined) return [];
    const find = (name: string) => {
      const found = match(name, this.#model.relationships);
      return found.kind === 'one' ? [found.item.name] : [];
    };
    const whole = typeof via === 'string' ? find(via) : [];
    if (whole.length > 0) return whole;
    const names = typeof via === 'string' ? via.split(VIA_SEPARATOR).map((name) => name.trim()) : via;
    return names.flatMap((name) => {
      const found = find(name);
      if (found.length === 0) {
        const where = field === undefined ? '' : ` that leads to ${field.dataset}`;
        this.#problem(`${path}.via`, `There is no relationship "${short(name)}"${where}.`, () =>
          this.#viasTo(name, field),
        );
      }
      return found;
    });
  }

  /** What may stand in `via`: what tells ways to the dataset apart, from wherever the request's metrics are. */
  #viasTo(wanted: string, field: Field | undefined): readonly string[] {
    if (field === undefined) return this.#model.relationships.map(({ name }) => name);
    const graph = new JoinGraph(this.#model);
    const read = this.#metricDatasets.length > 0 ? this.#metricDatasets : [...this.#model.datasets.keys()];
    const names = read.flatMap((base) => viasOf(waysTo(base, field.dataset, graph)));
    return nearestFirst(wanted, [...new Set(names)]);
  }

  #named<Item extends Named>(
    wanted: string,
    items: readonly Item[],
    path: string,
    what: string,
    where = '',
  ): Item | undefined {
    const found = match(wanted, items);
    if (found.kind === 'one') return found.item;
    if (found.kind === 'several') {
      const names = found.items.map(({ name }) => name);
      this.#problem(path, `"${short(wanted)}" may mean ${names.join(' or ')}; name one of them.`, names);
      return undefined;
    }
    this.#problem(path, `There is no ${what} "${short(wanted)}"${where}.`, () =>
      nearestFirst(
        wanted,
        items.map(({ name }) => name),
      ),
    );
    return undefined;
  }

  #datasetsOf({ metric: name }: ValueItem): readonly string[] {
    const found = match(name, [...this.#model.metrics.values()]);
    if (found.kind !== 'one') return [];
    const read = leavesOf(found.item.expression).map(({ dataset }) => dataset);
    return [...new Set(read.length === 0 ? [found.item.countedDataset] : read)];
  }

  #value(item: ValueItem, path: string): readonly ResolvedValue[] {
    const metric = this.#named(item.metric, [...this.#model.metrics.values()], `${path}.metric`, 'metric');
    if (metric === undefined) return [];
    if (item.aggregation === undefined) return [{ path: `${this.#root}${path}`, metric, aggregation: undefined }];
    const wanted = item.aggregation.toUpperCase();
    const aggregation = metric.supportedOverrides.find((name) => name === wanted);
    if (aggregation !== undefined) return [{ path: `${this.#root}${path}`, metric, aggregation }];
    const message =
      metric.supportedOverrides.length === 0
        ? `The aggregation of ${metric.name} cannot be replaced.`
        : `${metric.name} cannot be aggregated by "${short(item.aggregation)}".`;
    this.#problem(`${path}.aggregation`, message, metric.supportedOverrides);
    return [];
  }

  #filter(item: FilterItem, path: string): readonly ResolvedFilter[] {
    const field = this.#field(item, path);
    const via = this.#via(item.via, field, path);
    const grain = this.#grain(item.grain, field, path);
    const test = this.#test(item, field, path, grain);
    return field === undefined || test === undefined ? [] : [{ path: `${this.#root}${path}`, field, via, grain, test }];
  }

  #test(
    item: FilterItem,
    field: Field | undefined,
    path: string,
    grain: ResolvedGrain | undefined,
  ): Predicate | undefined {
    const { op, value, values, n } = item;
    if (n !== undefined && !hasArity(op, 'period')) this.#problem(`${path}.n`, `${op} takes no n.`);
    if (hasArity(op, 'none')) {
      if (value !== undefined) this.#problem(`${path}.value`, `${op} takes no value.`);
      if (values !== undefined) this.#problem(`${path}.values`, `${op} takes no values.`);
      return { kind: NULL_TESTS[op] };
    }
    if (hasArity(op, 'list')) {
      const list = this.#list(item, path);
      if (list === undefined) return undefined;
      const literals = list.map((one, index) => this.#literal(one, field, `${path}.values[${index}]`, grain));
      if (literals.includes(undefined)) return undefined;
      const found = literals.filter((one) => one !== undefined);
      this.#refuseManyAlternatives(found, field && fieldAtGrain(field, grain), path);
      return { kind: LIST_TESTS[op], values: found };
    }
    if (hasArity(op, 'two')) {
      const list = this.#list(item, path);
      if (list === undefined) return undefined;
      const [low, high] = list;
      if (low === undefined || high === undefined || list.length > 2) {
        this.#problem(
          `${path}.values`,
          `${op} takes two values, the low one first; there ${list.length === 1 ? 'is' : 'are'} ${list.length}.`,
        );
        return undefined;
      }
      const lowest = this.#literal(low, field, `${path}.values[0]`, grain);
      const highest = this.#literal(high, field, `${path}.values[1]`, grain);
      if (lowest === undefined || highest === undefined) return undefined;
      return { kind: RANGE_TESTS[op], low: lowest, high: highest };
    }
    if (hasArity(op, 'period')) return this.#period(item, field, path, grain);
    if (values !== undefined) this.#problem(`${path}.values`, `${op} takes one value, in "value".`);
    if (value === undefined) {
      if (values === undefined) this.#problem(`${path}.value`, `${op} needs a value.`);
      return undefined;
    }
    const parameter = this.#literal(value, field, `${path}.value`, grain);
    return parameter === undefined ? undefined : { kind: 'compare', operator: COMPARISONS[op], value: parameter };
  }

  /** A period counted to today. */
  #period(
    { value, values, n, grain: wanted }: FilterItem,
    field: Field | undefined,
    path: string,
    grain: ResolvedGrain | undefined,
  ): Predicate | undefined {
    if (values !== undefined) this.#problem(`${path}.values`, 'RELATIVE takes a period, in "value".');
    const name = RELATIVE_PERIOD_NAMES.find((one) => one === value);
    if (name === undefined) {
      const message =
        value === undefined ? 'RELATIVE needs a period.' : `There is no period "${short(String(value))}".`;
      this.#problem(`${path}.value`, message, nearestFirst(String(value ?? ''), RELATIVE_PERIOD_NAMES));
    } else if (n === undefined && name.startsWith('last_n_')) {
      this.#problem(`${path}.n`, `${name} needs n.`);
    } else if (n !== undefined && name.endsWith('td')) {
      this.#problem(`${path}.n`, `${name} takes no n.`);
    }
    if (field === undefined || name === undefined || (wanted !== undefined && grain === undefined)) return undefined;
    if (grainsOf(field.type).length === 0) {
      this.#problem(`${path}.op`, `${field.dataset}.${field.name} is no date, and has no periods.`, operatorsOf('one'));
      return undefined;
    }
    const period = grain?.name ?? 'day';
    if (!isGrainOf(period, 'period')) {
      this.#problem(
        `${path}.grain`,
        `RELATIVE counts periods of the calendar, not "${period}".`,
        grainsOf(field.type).filter((one) => isGrainOf(one, 'period')),
      );
      return undefined;
    }
    const bounds = relativeBounds(name, n ?? 1, period, field, this.#time, this.#now);
    for (const bound of [bounds.from, bounds.before]) {
      const reason = this.#holds === undefined ? undefined : incomparableReason(field, bound, this.#holds);
      if (reason !== undefined) this.#problem(`${path}.n`, `${name} reaches further than ${reason}.`);
    }
    return { kind: 'within', ...bounds };
  }

  /** Values that no list may hold are so many comparisons of each row. */
  #refuseManyAlternatives(values: readonly Parameter[], field: Field | undefined, path: string): void {
    if (field === undefined || this.#holds?.convertsLists !== true) return;
    const alternatives = values.filter((value) => !isOfColumn(field, value)).length;
    if (alternatives > MAX_ALTERNATIVES)
      this.#problem(`${path}.values`, `${field.nativeType} is compared with at most ${MAX_ALTERNATIVES} such values.`);
  }

  #list({ op, value, values }: FilterItem, path: string): readonly LiteralValue[] | undefined {
    if (value !== undefined) this.#problem(`${path}.value`, `${op} takes a list, in "values".`);
    if (values === undefined && value === undefined) this.#problem(`${path}.values`, `${op} needs values.`);
    return values;
  }

  #literal(value: LiteralValue, field: Field | undefined, path: string, grain: ResolvedGrain | undefined) {
    if (field === undefined) return undefined;
    const parameter = grain === undefined ? literal(value, field.type) : grainLiteral(value, field, grain);
    const isRead = typeof parameter !== 'string';
    const wanted = !isRead
      ? parameter
      : this.#holds === undefined
        ? undefined
        : incomparableReason(fieldAtGrain(field, grain), parameter, this.#holds);
    if (isRead && wanted === undefined) return parameter;
    this.#problem(
      path,
      `${keyOf({ field, via: [], grain })} is compared with ${wanted}, not with "${short(String(value))}".`,
    );
    return undefined;
  }

  #sort(
    item: SortItem,
    path: string,
    groups: readonly ResolvedGroup[],
    values: readonly ResolvedValue[],
    complete: boolean,
  ): readonly ResolvedSort[] {
    const direction = item.direction?.toLowerCase() === 'desc' ? 'desc' : 'asc';
    if ((item.metric === undefined) === (item.field === undefined)) {
      const message =
        item.metric === undefined ? 'A sort needs a metric or a field.' : 'A sort names a metric or a field, not both.';
      this.#problem(path, message, [...values.map(({ metric }) => metric.name), ...groups.map(keyOf)]);
      return [];
    }
    if (item.metric !== undefined) {
      const metrics = values.map(({ metric }) => metric);
      if (!complete && match(item.metric, metrics).kind === 'none') return [];
      const metric = this.#named(item.metric, metrics, `${path}.metric`, 'metric', ' among the values of this query');
      return metric === undefined ? [] : [{ by: 'value', index: metrics.indexOf(metric), direction }];
    }
    const named = item.dataset === undefined ? (item.field ?? '') : `${item.dataset}.${item.field}`;
    const wanted = `${named}${grainSuffix(item.grain)}`;
    const problems = this.#problems.length;
    const via = this.#via(item.via, undefined, path);
    if (this.#problems.length > problems) return [];
    const isMeant = (group: ResolvedGroup) =>
      wanted === keyOf(group) ||
      (((this.#means(named, group.field) && (item.grain === undefined || item.grain === group.grain?.name)) ||
        (group.grain !== undefined && this.#isGrainOf(wanted, group.field, group.grain))) &&
        (item.via === undefined || via.join() === group.via.join()));
    const exact = groups.findIndex((group) => item.via === undefined && wanted === keyOf(group));
    const [index, ...others] = exact >= 0 ? [exact] : groups.flatMap((group, at) => (isMeant(group) ? [at] : []));
    if (index !== undefined && others.length === 0) return [{ by: 'group', index, direction }];
    const keys = () => groups.map(keyOf);
    if (index !== undefined) {
      const meant = [index, ...others].flatMap((at) => keys()[at] ?? []);
      this.#problem(
        `${path}.field`,
        `"${short(wanted)}" may mean ${meant.join(' or ')}; name one of them.`,
        () => meant,
      );
    } else if (complete) {
      this.#problem(
        `${path}.field`,
        `There is no field "${short(wanted)}" among the rows and columns of this query.`,
        () => nearestFirst(wanted, keys()),
      );
    }
    return [];
  }

  /** Whether a text is a field's with the grain behind it: `orders.order_date.month`. */
  #isGrainOf(wanted: string, field: Field, { name }: ResolvedGrain): boolean {
    const suffix = grainSuffix(name);
    return wanted.endsWith(suffix) && this.#means(wanted.slice(0, -suffix.length), field);
  }

  /** `dataset.field`, by the same rules as in rows; names may hold dots, so every split is tried. */
  #means(wanted: string, field: Field): boolean {
    if (wanted === keyOf({ field, via: [] })) return true;
    const dataset: Dataset | undefined = this.#model.datasets.get(field.dataset);
    if (dataset === undefined) return false;
    const dots = [...wanted.matchAll(/\./g)].slice(0, MAX_DOTS);
    return dots.some(({ index }) => {
      const named = match(wanted.slice(0, index), [...this.#model.datasets.values()]);
      if (named.kind !== 'one' || named.item !== dataset) return false;
      const found = match(wanted.slice(index + 1), [...dataset.fields.values()]);
      return found.kind === 'one' && found.item === field;
    });
  }
}

/** Dots of a text at which a dataset's name may end. */
const MAX_DOTS = 20;

/** What each operator tests, by the number of its values. */
const COMPARISONS = { EQ: '=', NEQ: '<>', LT: '<', LTE: '<=', GT: '>', GTE: '>=' } as const satisfies Record<
  OperatorOf<'one'>,
  string
>;
const LIST_TESTS = { IN: 'in' } as const satisfies Record<OperatorOf<'list'>, string>;
const RANGE_TESTS = { BETWEEN: 'between' } as const satisfies Record<OperatorOf<'two'>, string>;
const NULL_TESTS = { IS_NULL: 'null', IS_NOT_NULL: 'notNull' } as const satisfies Record<OperatorOf<'none'>, string>;

/** Returns the key of a field in records, sorts and messages: `airports.city`, `airports.city@flight_origin`. */
export function keyOf({ field, via, grain }: FieldInRole): string {
  return `${field.dataset}.${field.name}${grainSuffix(grain?.name)}${viaSuffix(via)}`;
}

/** Returns what a grain adds to the key of its field. */
export function grainSuffix(grain: DateGrain | undefined): string {
  return grain === undefined ? '' : `.${grain}`;
}

/** Returns what a `via` adds to the key of its field. */
export function viaSuffix(via: readonly string[]): string {
  return via.length === 0 ? '' : `@${via.join(VIA_SEPARATOR)}`;
}
