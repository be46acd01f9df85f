/** FROM and WHERE of a subquery: datasets with their aliases, outer joins, filters, semi-joins. */
import type { Dialect, Moment } from '../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import type { Bindings } from '../../query-surface/index.ts';
import { MAX_SINGLY_BOUND } from '../limits.ts';
import type { Dataset, Field, Model, RowFilter, ValueType } from '../model/model.ts';
import type { PeriodTable } from '../model/period-table.ts';
import { renderSource } from '../model/source.ts';
import { type Bound, type ColumnLeaf, renderTemplate, type ScopeDate, type TableDays } from '../model/template.ts';
import { boundFor, castOf, isOfColumn, listedType } from './comparable.ts';
import { testsOf } from './conditions.ts';
import { fieldAtGrain, grainSql, momentOf, type ResolvedGrain, tableOf } from './grain/grain.ts';
import { type CalendarRows, daysOfPeriods, periodRows } from './grain/period-rows.ts';
import type { Spread } from './offset/offset.ts';
import { movedDay, spreadConditions, spreadJoin } from './offset/render-offset.ts';
import type {
  Among,
  Join,
  JoinTree,
  Node,
  PlacedCondition,
  PlacedField,
  PlacedFilter,
  PlacedSpread,
  Plan,
  SemiJoin,
} from './plan.ts';
import type { FieldInRole, Predicate } from './resolved.ts';

export class RowsRenderer {
  readonly #model: Model;
  readonly #dialect: Dialect;
  readonly #bindings: Bindings;
  readonly #hasInnerJoins: boolean;
  readonly #answerOf: (plan: Plan) => string;
  /** Names of the tables of periods that dates are looked up in, by the date and its place. */
  readonly #periods = new Map<string, string>();

  /**
   * @param hasInnerJoins makes total joins inner ones; see `Join.isTotal`
   * @param answerOf writes the statement that gives the groups of a membership
   */
  constructor(
    model: Model,
    dialect: Dialect,
    bindings: Bindings,
    hasInnerJoins = false,
    answerOf: (plan: Plan) => string = noMemberships,
  ) {
    this.#answerOf = answerOf;
    this.#model = model;
    this.#dialect = dialect;
    this.#bindings = bindings;
    this.#hasInnerJoins = hasInnerJoins;
  }

  /** Writes a column of the first node of its dataset, or of the node of that role. */
  column({ dataset, column }: Omit<ColumnLeaf, 'kind'>, role = 0): string {
    return `${this.#alias({ dataset, role })}.${this.#dialect.identifier(column)}`;
  }

  /** Writes an expression over columns of first nodes. */
  expression(expression: Bound): string {
    return renderTemplate(expression, this.#dialect, { column: (leaf) => this.column(leaf) });
  }

  field(field: Pick<Field, 'expression'>, role = 0): string {
    return renderTemplate(field.expression, this.#dialect, { column: (leaf) => this.column(leaf, role) });
  }

  /** Writes a field as its values are listed: those without an order of their own, or literals, by their text. */
  listed(field: Field): string {
    const isOrdered = !['json', 'binary', 'other'].includes(field.type);
    return isOrdered ? this.field(field) : this.#dialect.castToText(this.field(field));
  }

  /** Writes a field as a group: documents, of which not every engine can tell two apart, by their text. */
  group({ field, grain }: FieldInRole, { role }: Node): string {
    if (grain !== undefined) return this.#atGrain(field, grain, role);
    const isDocument = field.type === 'json' || field.nativeType.toLowerCase() === 'xml';
    return isDocument ? this.#dialect.castToText(this.field(field, role)) : this.field(field, role);
  }

  /** @param fields that are read of the rows: those at a grain of a table have their periods looked up */
  from({ root, bridge, joins }: JoinTree, indent: string, fields: readonly PlacedField[] = []): string {
    const [nearest, ...farther] = bridge;
    const lines =
      nearest === undefined
        ? [`FROM ${this.#item(root)}`]
        : farther.length === 0
          ? [`FROM ${this.#item(root)}`, this.#join('LEFT JOIN', nearest)]
          : // The chain as one, kept or missed whole: written without parentheses, which not every engine takes in a join.
            [
              `FROM ${this.#item(nearest.node)}`,
              ...farther.map((join) => this.#join('INNER JOIN', join)),
              `RIGHT JOIN ${this.#item(root)} ON ${this.#on(nearest)}`,
            ];
    for (const join of joins) {
      lines.push(this.#join(this.#hasInnerJoins && join.isTotal ? 'INNER JOIN' : 'LEFT JOIN', join));
    }
    const periods = fields.flatMap((one) => this.#periodJoin(one, `${indent}  `));
    return [...lines, ...new Set(periods)].join(`\n${indent}`);
  }

  /** Joins each day of the table once, so that no row is doubled, and outer, so that none is lost. */
  #periodJoin({ field, grain, node }: PlacedField, indent: string): readonly string[] {
    const table = tableOf(grain);
    if (table === undefined || grain === undefined) return [];
    const alias = this.#periodAlias(field, grain, node.role);
    const day = this.#dialect.grains.day(this.#moment(field, grain, node.role), grain.firstDay);
    const days = this.daysOf(table, indent);
    return [`LEFT JOIN (\n${indent}${days}\n${indent.slice(2)}) AS ${alias} ON ${alias}.period_day = ${day}`];
  }

  /** Writes the SELECT of a table's periods, as the caller may see them. */
  periodsOf(table: PeriodTable): string {
    return periodRows(table, this.#calendarRows(table, ''));
  }

  /** Writes the SELECT of a table's days, each with the first day of its period, as the caller may see them. */
  daysOf(table: PeriodTable, indent: string): string {
    return daysOfPeriods(table, this.#calendarRows(table, indent));
  }

  /** Writes the same of a table that a metric goes by, which its caller may be allowed though not the table's fields. */
  daysOfWindows({ dataset, date, key }: TableDays, indent: string): string {
    const fields = new Map([date, key].map((one) => [one.name, one]));
    return daysOfPeriods({ date: date.name, key: key.name }, this.#calendarRows({ dataset }, indent, fields));
  }

  #calendarRows(
    { dataset }: Pick<PeriodTable, 'dataset'>,
    indent: string,
    fields: ReadonlyMap<string, ScopeDate> = this.#dataset(dataset).fields,
  ): CalendarRows {
    return {
      field: (name) => {
        const found = fields.get(name);
        if (found === undefined) throw new InternalError('a calendar names a field that its caller may not see');
        return found;
      },
      sql: (field) => this.field(field),
      from: this.#item({ dataset, role: 0 }),
      dialect: this.#dialect,
      indent,
    };
  }

  #periodAlias(field: Field, grain: ResolvedGrain, role: number): string {
    const key = JSON.stringify([field.dataset, role, field.name, tableOf(grain)?.name]);
    const known = this.#periods.get(key) ?? `service_period_${this.#periods.size}`;
    this.#periods.set(key, known);
    return known;
  }

  #join(how: 'LEFT JOIN' | 'INNER JOIN', join: Join): string {
    return `${how} ${this.#item(join.node)} ON ${this.#on(join)}`;
  }

  #on({ node, columns, parent, parentColumns }: Join): string {
    return this.#equalities(node, columns, parent, parentColumns);
  }

  /**
   * Writes the WHERE clause with its keyword, or nothing.
   *
   * @param own conditions that are rendered already
   */
  where(base: Node, where: readonly PlacedCondition[], indent: string, own: readonly string[] = []): string {
    const conditions = [...where.map((one) => this.#placed(base, one, indent)), ...own];
    return conditions.length === 0 ? '' : `\n${indent}WHERE ${conditions.join(`\n${indent}  AND `)}`;
  }

  #placed(base: Node, condition: PlacedCondition, indent: string): string {
    switch (condition.kind) {
      case 'test':
        return this.#condition(condition.filter);
      case 'among':
        return this.#among(condition.among);
      case 'match':
        return this.#semiJoin(base, condition.semiJoin, indent);
      case 'any':
      case 'all': {
        const inner = condition.of.map((one) => this.#placed(base, one, `${indent}  `));
        return inner.length === 1 ? inner.join('') : `(${inner.join(condition.kind === 'any' ? ' OR ' : ' AND ')})`;
      }
    }
  }

  #among({ places, plan }: Among): string {
    const fields = places.map((place) => this.group(place, place.node));
    return `${inTuple(fields)} IN (\n${this.#answerOf(plan)}\n)`;
  }

  #semiJoin(base: Node, { tree, link, columns, baseColumns, where }: SemiJoin, indent: string): string {
    const inner = `${indent}  `;
    const placed = () => where.map((one) => this.#placed(link, one, inner));
    // ClickHouse 26 has no subquery within a correlated one; a match by equality is a membership as well.
    if (where.some(({ kind }) => kind === 'among')) {
      const own = baseColumns.map((column) => this.column({ dataset: base.dataset, column }, base.role));
      const matched = columns.map((column) => this.column({ dataset: link.dataset, column }, link.role));
      const from = `${inner}SELECT ${matched.join(', ')}\n${inner}${this.from(tree, inner, testsOf(where))}`;
      return `${inTuple(own)} IN (\n${from}\n${inner}WHERE ${placed().join(' AND ')}\n${indent})`;
    }
    const linked = this.#equalities(link, columns, base, baseColumns);
    const conditions = [linked, ...placed()];
    return `EXISTS (\n${inner}SELECT 1\n${inner}${this.from(tree, inner, testsOf(where))}\n${inner}WHERE ${conditions.join(' AND ')}\n${indent})`;
  }

  #atGrain(field: Field, grain: ResolvedGrain, role: number): string {
    if (tableOf(grain) !== undefined) return `${this.#periodAlias(field, grain, role)}.period_start`;
    const moment = this.#moment(field, grain, role);
    const day = movedDay(moment, grain, this.#dialect) ?? moment;
    return grainSql(day, grain, this.#dialect);
  }

  /**
   * Writes FROM and WHERE of rows that may be shown at several days each.
   *
   * @param where writes the WHERE clause with more conditions, behind FROM: values are bound in order
   */
  spreadRows(
    {
      tree,
      spread,
      fields,
    }: {
      readonly tree: JoinTree;
      readonly spread: PlacedSpread | undefined;
      readonly fields: readonly PlacedField[];
    },
    indent: string,
    where: (more: readonly string[]) => string,
  ): string {
    const from = this.from(tree, indent, fields);
    if (spread === undefined) return `${from}${where([])}`;
    const { join, conditions } = this.#spread(spread.by, spread.node);
    return `${from}\n${indent}${join}${where(conditions)}`;
  }

  #moment(field: Field, grain: ResolvedGrain, role: number): Moment {
    const scalar = this.field(field, role);
    return momentOf(field.expression.length === 1 ? scalar : `(${scalar})`, field, grain);
  }

  /** Writes the numbers of the days that a row is shown at, and what decides which of them are. */
  #spread(spread: Spread, { role }: Node): { readonly join: string; readonly conditions: readonly string[] } {
    const { place, days } = spread;
    const scalar = this.field(place.field, role);
    const grain = place.grain;
    if (grain === undefined) throw new InternalError('rows are shown at days of no grain');
    const moment = momentOf(place.field.expression.length === 1 ? scalar : `(${scalar})`, place.field, grain);
    return { join: spreadJoin(days), conditions: spreadConditions(spread, moment, grain, this.#dialect) };
  }

  #condition({ field, grain, test, node }: PlacedFilter): string {
    // A period counted to today is a stretch of the days themselves.
    if (grain !== undefined && test.kind !== 'within') {
      return this.tested(fieldAtGrain(field, grain), this.#atGrain(field, grain, node.role), test);
    }
    const scalar = this.field(field, node.role);
    return this.tested(field, field.expression.length === 1 ? scalar : `(${scalar})`, test);
  }

  /** Writes a test of values of a field, which `expression` gives. */
  tested(field: ValueType, expression: string, test: Predicate): string {
    switch (test.kind) {
      case 'null':
        return `${expression} IS NULL`;
      case 'notNull':
        return `${expression} IS NOT NULL`;
      case 'compare':
        return `${this.#comparable(field, expression)} ${test.operator} ${this.#bound(field, test.value)}`;
      case 'within': {
        const own = this.#comparable(field, expression);
        return `(${own} >= ${this.#bound(field, test.from)} AND ${own} < ${this.#bound(field, test.before)})`;
      }
      case 'between': {
        const low = this.#bound(field, test.low);
        const high = this.#bound(field, test.high);
        return `${this.#comparable(field, expression)} BETWEEN ${low} AND ${high}`;
      }
      case 'in': {
        if (test.values.length === 0) return '1 = 0';
        const tests = this.#memberships(field, this.#comparable(field, expression), test.values);
        return tests.length === 1 ? tests.join('') : `(${tests.join(' OR ')})`;
      }
    }
  }

  /**
   * Writes tests of which one holds where `expression` is one of the values: one for each type of values, because
   * engines turn a list of several types into one of them (a whole number beside a double loses digits). Of many
   * values, those of one type are bound as one list.
   */
  #memberships(field: ValueType, expression: string, values: readonly Parameter[]): readonly string[] {
    const { holds } = this.#dialect;
    const isMany = values.length > MAX_SINGLY_BOUND;
    const byType = new Map<string, Parameter[]>();
    const others: Parameter[] = [];
    for (const value of values) {
      if (holds.convertsLists && !isOfColumn(field, value)) others.push(value);
      else {
        const type = listedType(value, holds);
        if (byType.get(type)?.push(value) === undefined) byType.set(type, [value]);
      }
    }
    const tests = [...byType.values()].flatMap((alike) => {
      const type = alike[0]?.type ?? 'other';
      // A cast depends on the field and the type alone, so all of them have one or none has.
      const isCast = alike.some((value) => castOf(field, value) !== undefined);
      if (isMany && !isCast && this.#dialect.list(type) !== undefined) {
        const scalars = alike.map((value) => boundFor(field, value, holds).value);
        return this.#bindings.bindList(scalars, type, expression);
      }
      return [`${expression} IN (${alike.map((value) => this.#bound(field, value)).join(', ')})`];
    });
    return [...tests, ...others.map((value) => `${expression} = ${this.#bound(field, value)}`)];
  }

  #bound(field: ValueType, value: Parameter): string {
    const cast = castOf(field, value);
    const placeholder = this.#bindings.bind(boundFor(field, value, this.#dialect.holds));
    return cast === undefined ? placeholder : `CAST(${placeholder} AS ${cast})`;
  }

  /** Casts types without literals of their own (UUID, enumerations, JSON) to text, by which they are compared. */
  #comparable(field: ValueType, expression: string): string {
    const { type } = field;
    const byText = type === 'other' || type === 'json' || type === 'binary' || (type === 'text' && !isCharacter(field));
    return byText ? this.#dialect.castToText(expression) : expression;
  }

  #equalities(left: Node, leftColumns: readonly string[], right: Node, rightColumns: readonly string[]): string {
    return leftColumns
      .map((column, index) => {
        const other = rightColumns[index];
        if (other === undefined) throw new InternalError('a join has columns without a counterpart');
        const own = this.column({ dataset: left.dataset, column }, left.role);
        return `${own} = ${this.column({ dataset: right.dataset, column: other }, right.role)}`;
      })
      .join(' AND ');
  }

  /** Writes a dataset as an item of FROM. The rows that the caller may not see are gone before anything is joined. */
  #item(node: Node): string {
    const dataset = this.#dataset(node.dataset);
    const source = renderSource(dataset.source, this.#dialect);
    const alias = this.#alias(node);
    if (dataset.rowFilter === undefined) return `${source} AS ${alias}`;
    const own = this.#alias({ ...node, role: 0 });
    return `(SELECT * FROM ${source} AS ${own} WHERE ${this.#rowFilter(dataset.rowFilter)}) AS ${alias}`;
  }

  /** Matches are tested by membership, not by correlation: every engine hashes that, with or without an index. */
  #rowFilter({ predicate, matches }: RowFilter): string {
    const conditions = matches.map(({ step, rowFilter }) => {
      const target = this.#dataset(step.to);
      const own = step.fromColumns.map((column) => this.column({ dataset: step.from, column }));
      const matched = step.toColumns.map((column) => this.column({ dataset: step.to, column }));
      const source = renderSource(target.source, this.#dialect);
      return `${inTuple(own)} IN (SELECT ${matched.join(', ')} FROM ${source} AS ${this.#alias({ dataset: step.to, role: 0 })} WHERE ${this.#rowFilter(rowFilter)})`;
    });
    if (predicate !== undefined) {
      conditions.unshift(`(${renderTemplate(predicate, this.#dialect, { column: (leaf) => this.column(leaf) })})`);
    }
    return conditions.join(' AND ');
  }

  #alias({ dataset, role }: Node): string {
    return this.#dialect.identifier(role === 0 ? this.#dataset(dataset).alias : `service_role_${role}`);
  }

  #dataset(name: string): Dataset {
    const dataset = this.#model.datasets.get(name);
    if (dataset === undefined) throw new InternalError(`the plan names the dataset ${name}, which the model lacks`);
    return dataset;
  }
}

/** Writes what a membership tests: one expression, or several at once. */
function inTuple(expressions: readonly string[]): string {
  return expressions.length === 1 ? expressions.join('') : `(${expressions.join(', ')})`;
}

function noMemberships(): never {
  throw new InternalError('rows are selected by an answer that nobody writes');
}

/**
 * Tells whether the engine compares the field with any text as it is. UUIDs and enumerations reach a caller as text
 * too, but engines refuse to compare them with text, or with text that is none of theirs.
 */
function isCharacter({ nativeType }: ValueType): boolean {
  const bare = nativeType.toLowerCase().replaceAll(/nullable\(|lowcardinality\(/g, '');
  return /^(n?var|n|bp|tiny|medium|long|"|national |character )?(char|character|text|string|clob|citext|name|unknown)/.test(
    bare,
  );
}
