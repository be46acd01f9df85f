/** Writes FROM and WHERE of a subquery: datasets with their aliases, outer joins, filters, semi-joins. */

import type { Dialect, Moment, PeriodNumbers } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../query-surface/index.ts';
import type { Dataset, Field, Model, RowFilter, ValueType, ViewerTest } from '../../model/model.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import { renderSource } from '../../model/source.ts';
import { type Bound, type ColumnLeaf, renderTemplate, type ScopeDate, type TableDays } from '../../model/template.ts';
import { incomparableReason } from '../nodes/comparable-values.ts';
import { fieldsOf, testsOf } from '../nodes/conditions.ts';
import { fieldAtGrain, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import type {
  Among,
  FactSubquery,
  Join,
  JoinTree,
  Node,
  PlacedCondition,
  PlacedField,
  PlacedFilter,
  Plan,
  SemiJoin,
} from '../nodes/plan.ts';
import type { FieldInRole, Predicate } from '../nodes/resolved-query.ts';
import { isElsewhere, type Pairs, type Spread } from '../nodes/shown-days.ts';
import { pairsOfDays } from './day-pairs.ts';
import { grainSql, momentOf } from './grain-sql.ts';
import { type CalendarRows, daysOfPeriods, periodRows, TURN } from './period-rows.ts';
import { PredicateRenderer, valueText } from './predicates.ts';
import { movedDay, SPREAD, spreadConditions, spreadJoin } from './shown-days.ts';

export class RowsRenderer {
  readonly #model: Model;
  readonly #dialect: Dialect;
  readonly #predicates: PredicateRenderer;
  readonly #hasInnerJoins: boolean;
  readonly #answerOf: (plan: Plan) => SqlPart;
  /** Aliases of the joined tables of periods, by date, role, table and move. */
  readonly #periods = new Map<string, string>();

  /**
   * @param hasInnerJoins makes total joins inner ones; see `Join.isTotal`
   * @param answerOf writes the statement with the groups of a membership
   */
  constructor(
    model: Model,
    dialect: Dialect,
    hasInnerJoins = false,
    answerOf: (plan: Plan) => SqlPart = noMemberships,
  ) {
    this.#answerOf = answerOf;
    this.#model = model;
    this.#dialect = dialect;
    this.#predicates = new PredicateRenderer(dialect);
    this.#hasInnerJoins = hasInnerJoins;
  }

  /** Returns whether the statement is only for data that were checked. */
  get isOfCheckedData(): boolean {
    return this.#hasInnerJoins;
  }

  /** Writes a column of its dataset's node with this role. */
  column({ dataset, column }: Omit<ColumnLeaf, 'kind'>, role = 0): string {
    return `${this.alias({ dataset, role })}.${this.#dialect.identifier(column)}`;
  }

  /** Returns whether an expression is a column that alone is a key of its dataset. */
  isKey([leaf, ...others]: Bound): boolean {
    if (leaf === undefined || typeof leaf === 'string' || leaf.kind !== 'column' || others.length > 0) return false;
    const keys = this.#model.datasets.get(leaf.dataset)?.keys ?? [];
    return keys.some(([column, ...more]) => column === leaf.column && more.length === 0);
  }

  /** Writes an expression over columns of nodes with role 0. */
  expression(expression: Bound): string {
    return renderTemplate(expression, this.#dialect, { column: (leaf) => this.column(leaf) });
  }

  field(field: Pick<Field, 'expression'>, role = 0): string {
    return renderTemplate(field.expression, this.#dialect, { column: (leaf) => this.column(leaf, role) });
  }

  /** Writes a field for a list of its values. A type without an order (JSON, binary, other) is written as text. */
  listed(field: Field): string {
    if (field.type === 'timestamptz') return this.#dialect.instantInUtc(this.field(field));
    const isOrdered = !['json', 'binary', 'other'].includes(field.type);
    return isOrdered ? this.field(field) : valueText(this.#dialect, this.field(field), field);
  }

  /**
   * Writes a field as a group. Documents (JSON, XML) are grouped as text, because not every engine can compare two of them.
   */
  group({ field, grain }: FieldInRole, { role }: Node): string {
    if (grain !== undefined) return this.#atGrain(field, grain, role);
    const isDocument = field.type === 'json' || field.nativeType.toLowerCase() === 'xml';
    return isDocument ? valueText(this.#dialect, this.field(field, role), field) : this.field(field, role);
  }

  /** Returns the numbers of periods, where the dates were checked and the engine groups numbers faster than dates. */
  get periodNumbers(): PeriodNumbers | undefined {
    return this.#hasInnerJoins ? this.#dialect.periodNumbers : undefined;
  }

  /** Returns the moment of a date that is grouped by a grain. */
  momentOf({ field, grain }: FieldInRole, { role }: Node): Moment {
    if (grain === undefined) throw new InternalError('a date is grouped without a grain');
    return this.#moment(field, grain, role);
  }

  /**
   * @param fields fields that are read from the rows; a field at a table's grain joins that table
   * @param rootItem the item of FROM with the rows of the root; by default its dataset
   */
  from(
    { root, bridge, joins }: JoinTree,
    indent: string,
    fields: readonly PlacedField[] = [],
    rootItem: SqlPart = this.#item(root),
  ): SqlPart {
    const [nearest, ...farther] = bridge;
    const lines: SqlPart[] =
      nearest === undefined
        ? [sql`FROM ${rootItem}`]
        : farther.length === 0
          ? [sql`FROM ${rootItem}`, this.#join('LEFT JOIN', nearest)]
          : // Joins the whole chain or none of it. A RIGHT JOIN avoids parentheses, which not every engine accepts in a join.
            [
              sql`FROM ${this.#item(nearest.node)}`,
              ...farther.map((join) => this.#join('INNER JOIN', join)),
              sql`RIGHT JOIN ${rootItem} ON ${this.#on(nearest)}`,
            ];
    for (const join of joins) {
      lines.push(this.#join(this.#hasInnerJoins && join.isTotal ? 'INNER JOIN' : 'LEFT JOIN', join));
    }
    const here = fields.filter((one) => !isElsewhere(one));
    return joinSql([...lines, ...this.#periodJoins(here, `${indent}  `)], `\n${indent}`);
  }

  /** Joins the tables of the fields' periods, each once. */
  #periodJoins(fields: readonly PlacedField[], indent: string): readonly SqlPart[] {
    const byAlias = new Map<string, SqlPart>();
    for (const { field, grain, node } of fields) {
      const table = tableOf(grain);
      if (table === undefined || grain === undefined) continue;
      const alias = this.#periodAlias(field, grain, node.role);
      if (!byAlias.has(alias)) byAlias.set(alias, this.#periodJoin({ field, grain, node }, table, indent));
    }
    return [...byAlias.values()];
  }

  /** Joins a table of periods. It has each day once, so no row is doubled; the join is outer, so no row is lost. */
  #periodJoin(
    { field, grain, node }: Pick<PlacedField, 'field' | 'node'> & { readonly grain: ResolvedGrain },
    table: PeriodTable,
    indent: string,
  ): SqlPart {
    const alias = this.#periodAlias(field, grain, node.role);
    const moment = this.#moment(field, grain, node.role);
    const moved = movedDay(moment, grain, this.#dialect);
    const day = moved === undefined ? this.#dialect.grains.day(moment, grain.firstDay) : moved.expression;
    const days = this.daysOf(table, indent);
    return sql`LEFT JOIN (\n${indent}${days}\n${indent.slice(2)}) AS ${alias} ON ${alias}.period_day = ${day}`;
  }

  /**
   * Writes the SELECT of a table's periods, as the caller may see them.
   *
   * @param days set where a metric uses the table; the table's fields may then be hidden from the caller
   */
  periodsOf(table: PeriodTable, days?: TableDays): SqlPart {
    return periodRows(table, this.#calendarRows(table, '', days && fieldsOfDays(days)));
  }

  /** Writes the SELECT of a table's days, each with the first day of its period, as the caller may see them. */
  daysOf(table: PeriodTable, indent: string): SqlPart {
    return daysOfPeriods(table, this.#calendarRows(table, indent));
  }

  /**
   * Writes the SELECT of a table's days for a metric that uses the table, even if the table's fields are hidden from the
   * caller.
   */
  daysOfWindows(table: TableDays, indent: string): SqlPart {
    const { date, key } = table;
    const rows = this.#calendarRows(table, indent, fieldsOfDays(table));
    return daysOfPeriods({ date: date.name, key: key.name }, rows, { hasFirst: true });
  }

  /** Writes the SELECT of pairs of a row's own day (`own_day`) and a day that shows the row (`shown_day`). */
  pairs(pairs: readonly Pairs[], indent: string): SqlPart {
    return pairsOfDays(pairs, {
      days: (table) =>
        'periods' in table
          ? daysOfPeriods(table, this.#calendarRows(table, `${indent}  `), { hasFirst: true })
          : this.daysOfWindows(table, `${indent}  `),
      dialect: this.#dialect,
    });
  }

  #calendarRows(
    { dataset }: Pick<PeriodTable, 'dataset'>,
    indent: string,
    fields: ReadonlyMap<string, ScopeDate> = this.#dataset(dataset).fields,
  ): CalendarRows {
    return {
      field: (name) => {
        const field = fields.get(name);
        if (field === undefined) throw new InternalError('a calendar names a field that its caller may not see');
        return field;
      },
      write: (field) => this.field(field),
      from: this.#item({ dataset, role: 0 }),
      dialect: this.#dialect,
      indent,
    };
  }

  #periodAlias(field: Field, grain: ResolvedGrain, role: number): string {
    const key = JSON.stringify([field.dataset, role, field.name, tableOf(grain)?.name, grain.moved]);
    const alias = this.#periods.get(key) ?? `service_period_${this.#periods.size}`;
    this.#periods.set(key, alias);
    return alias;
  }

  #join(how: 'LEFT JOIN' | 'INNER JOIN', join: Join): SqlPart {
    return sql`${how} ${this.#item(join.node)} ON ${this.#on(join)}`;
  }

  #on({ node, columns, parent, parentColumns }: Join): string {
    return this.#equalities(node, columns, parent, parentColumns);
  }

  /**
   * Writes the WHERE clause with its keyword, or nothing.
   *
   * @param filters conditions that are rendered already
   */
  where(base: Node, where: readonly PlacedCondition[], indent: string, filters: readonly SqlPart[] = []): SqlPart {
    const conditions = [...where.map((one) => this.#placed(base, one, indent)), ...filters];
    return conditions.length === 0 ? '' : sql`\n${indent}WHERE ${joinSql(conditions, `\n${indent}  AND `)}`;
  }

  #placed(base: Node, condition: PlacedCondition, indent: string): SqlPart {
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
        const joined = joinSql(inner, condition.kind === 'any' ? ' OR ' : ' AND ');
        return inner.length === 1 ? joined : sql`(${joined})`;
      }
    }
  }

  #among({ places, plan }: Among): SqlPart {
    const fields = places.map((place) => this.group(place, place.node));
    return sql`${inTuple(fields)} IN (\n${this.#answerOf(plan)}\n)`;
  }

  #semiJoin(base: Node, { tree, link, columns, baseColumns, where }: SemiJoin, indent: string): SqlPart {
    const inner = `${indent}  `;
    const placed = where.map((one) => this.#placed(link, one, inner));
    // ClickHouse 26 refuses a subquery within a correlated subquery. A match by equality can be written as a membership
    // too.
    if (where.some(({ kind }) => kind === 'among')) {
      const baseKeys = baseColumns.map((column) => this.column({ dataset: base.dataset, column }, base.role));
      const matched = columns.map((column) => this.column({ dataset: link.dataset, column }, link.role));
      const from = sql`${inner}SELECT ${matched.join(', ')}\n${inner}${this.from(tree, inner, testsOf(where))}`;
      return sql`${inTuple(baseKeys)} IN (\n${from}\n${inner}WHERE ${joinSql(placed, ' AND ')}\n${indent})`;
    }
    const linked = this.#equalities(link, columns, base, baseColumns);
    const conditions = joinSql([linked, ...placed], ' AND ');
    return sql`EXISTS (\n${inner}SELECT 1\n${inner}${this.from(tree, inner, testsOf(where))}\n${inner}WHERE ${conditions}\n${indent})`;
  }

  #atGrain(field: Field, grain: ResolvedGrain, role: number): string {
    if (tableOf(grain) !== undefined) return `${this.#periodAlias(field, grain, role)}.period_start`;
    const moment = this.#moment(field, grain, role);
    const day = movedDay(moment, grain, this.#dialect) ?? moment;
    return grainSql(day, grain, this.#dialect);
  }

  /**
   * Writes FROM and WHERE of rows. Each row may be shown at several days.
   *
   * @param groups the fields that the rows are grouped by, in the order of `groupNodes`
   * @param filters conditions of the rows themselves
   * @param rootItem the item of FROM with the rows of the root; by default its dataset
   */
  fromWhere(
    { tree, spread, groupNodes, where }: Pick<FactSubquery, 'tree' | 'spread' | 'groupNodes' | 'where'>,
    groups: readonly FieldInRole[],
    filters: readonly Bound[],
    indent: string,
    rootItem?: SqlPart,
  ): SqlPart {
    const ofEach = spread?.whereOfEach ?? [];
    const fields = fieldsOf(groups, groupNodes, [...where, ...ofEach.flat()]);
    const conditionsOfRows = filters.map((each) => `(${this.expression(each)})`);
    const from = this.from(tree, indent, fields, rootItem);
    if (spread === undefined) return sql`${from}${this.where(tree.root, where, indent, conditionsOfRows)}`;
    const { join, conditions } = this.#spread(spread.by, spread.node, `${indent}  `);
    // The periods of the shown days are joined after the shown days.
    const periods = this.#periodJoins(
      fields.filter((one) => isElsewhere(one)),
      `${indent}  `,
    );
    const joined = joinSql([from, join, ...periods], `\n${indent}`);
    const byTurns = this.#whereOfTurn(tree.root, ofEach, indent);
    return sql`${joined}${this.where(tree.root, where, indent, [...byTurns, ...conditionsOfRows, ...conditions])}`;
  }

  /** Writes the conditions of each of several offsets, for the rows that show it. */
  #whereOfTurn(base: Node, ofEach: readonly (readonly PlacedCondition[])[], indent: string): readonly SqlPart[] {
    if (ofEach.length === 0) return [];
    const each = ofEach.map((where, turn) => {
      const conditions = [`${SPREAD}.${TURN} = ${turn}`, ...where.map((one) => this.#placed(base, one, indent))];
      return joinSql(conditions, ' AND ');
    });
    return [sql`(${joinSql(each, `\n${indent}  OR `)})`];
  }

  #moment(field: Field, grain: ResolvedGrain, role: number): Moment {
    const scalar = this.field(field, role);
    return momentOf(field.expression.length === 1 ? scalar : `(${scalar})`, field, grain);
  }

  /** Writes the join of a row with the days that show it, and the conditions on these days. */
  #spread(
    spread: Spread,
    { role }: Node,
    indent: string,
  ): { readonly join: SqlPart; readonly conditions: readonly string[] } {
    const { place } = spread;
    const { field, grain } = place;
    if (grain === undefined) throw new InternalError('the date of shown rows has no grain');
    const moment = this.#moment(field, grain, role);
    if (!('pairs' in spread)) {
      return {
        join: spreadJoin(spread.days, this.#dialect),
        conditions: spreadConditions(spread, moment, grain, this.#dialect),
      };
    }
    const dayOfRow = this.#dialect.grains.day(moment, grain.firstDay);
    const pairs = this.pairs(spread.together ?? [spread.pairs], indent);
    const join = sql`INNER JOIN (\n${indent}${pairs}\n${indent.slice(2)}) AS ${SPREAD} ON ${SPREAD}.own_day = ${dayOfRow}`;
    return { join, conditions: [] };
  }

  #condition({ field, grain, test, node }: PlacedFilter): SqlPart {
    // A relative period is a range of the field itself, not of its grain.
    if (grain !== undefined && test.kind !== 'within') {
      return this.tested(fieldAtGrain(field, grain), this.#atGrain(field, grain, node.role), test);
    }
    const scalar = this.field(field, node.role);
    return this.tested(field, field.expression.length === 1 ? scalar : `(${scalar})`, test);
  }

  /** Writes a test of a field's values, which `expression` computes. */
  tested(field: ValueType, expression: string, test: Predicate): SqlPart {
    return this.#predicates.tested(field, expression, test);
  }

  #equalities(left: Node, leftColumns: readonly string[], right: Node, rightColumns: readonly string[]): string {
    return leftColumns
      .map((column, index) => {
        const other = rightColumns[index];
        if (other === undefined) throw new InternalError('a join has columns without a counterpart');
        const leftColumn = this.column({ dataset: left.dataset, column }, left.role);
        return `${leftColumn} = ${this.column({ dataset: right.dataset, column: other }, right.role)}`;
      })
      .join(' AND ');
  }

  /** Writes a dataset as an item of FROM. Rows that the caller may not see are removed before any join. */
  #item(node: Node): SqlPart {
    const dataset = this.#dataset(node.dataset);
    const source = renderSource(dataset.source, this.#dialect);
    const alias = this.alias(node);
    if (dataset.rowFilter === undefined) return `${source} AS ${alias}`;
    const filterAlias = this.alias({ ...node, role: 0 });
    return sql`(SELECT * FROM ${source} AS ${filterAlias} WHERE ${this.#rowFilter(dataset.rowFilter)}) AS ${alias}`;
  }

  /**
   * Writes a row filter. Matches are memberships, not correlated subqueries: every engine hashes a membership, with or
   * without an index.
   */
  #rowFilter({ predicate, viewerTests, matches }: RowFilter): SqlPart {
    const memberships = matches.map(({ step, rowFilter }) => {
      const target = this.#dataset(step.to);
      const foreignKeys = step.fromColumns.map((column) => this.column({ dataset: step.from, column }));
      const matched = step.toColumns.map((column) => this.column({ dataset: step.to, column }));
      const source = renderSource(target.source, this.#dialect);
      return sql`${inTuple(foreignKeys)} IN (SELECT ${matched.join(', ')} FROM ${source} AS ${this.alias({ dataset: step.to, role: 0 })} WHERE ${this.#rowFilter(rowFilter)})`;
    });
    const own = predicate === undefined ? [] : [`(${this.expression(predicate)})`];
    const ofViewer = viewerTests.map((test) => this.#viewerTest(test));
    return joinSql([...own, ...ofViewer, ...memberships], ' AND ');
  }

  /**
   * Writes the test that a row is one of the viewer's. A value that the engine cannot compare with the field selects no
   * row.
   */
  #viewerTest({ expression, values, ...type }: ViewerTest): SqlPart {
    const { holds } = this.#dialect;
    const comparable = values.filter((value) => incomparableReason(type, value, holds) === undefined);
    const scalar = this.expression(expression);
    return this.tested(type, expression.length === 1 ? scalar : `(${scalar})`, { kind: 'in', values: comparable });
  }

  /** Writes the name of a node in SQL. */
  alias({ dataset, role }: Node): string {
    return this.#dialect.identifier(role === 0 ? this.#dataset(dataset).alias : `service_role_${role}`);
  }

  #dataset(name: string): Dataset {
    const { datasets, rollups } = this.#model;
    const dataset = datasets.get(name) ?? rollups.find((rollup) => rollup.name === name)?.table;
    if (dataset === undefined) throw new InternalError(`the plan names the dataset ${name}, which the model lacks`);
    return dataset;
  }
}

function fieldsOfDays({ date, key }: TableDays): ReadonlyMap<string, ScopeDate> {
  return new Map([date, key].map((one) => [one.name, one]));
}

/** Writes the operands of a membership: one expression, or several at once. */
function inTuple(expressions: readonly string[]): string {
  return expressions.length === 1 ? expressions.join('') : `(${expressions.join(', ')})`;
}

function noMemberships(): never {
  throw new InternalError('a membership is rendered without a writer of its answer');
}
