/**
 * Turns a plan into one SQL statement.
 *
 * Inner columns have generated names (`g0` a group, `a0` an aggregate, `m0` a metric), so that names of a model cannot
 * collide. Only the last SELECT uses the names of the answer.
 */

import type { Dialect, StepUnit } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import { joinSql, type Sql, type SqlPart, sql } from '../../../query-surface/index.ts';
import { aggregationFacts } from '../../model/aggregations.ts';
import type { Model } from '../../model/model.ts';
import { collatedColumn, fieldKey } from '../nodes/field-key.ts';
import type { Crosstab, MetricColumn, MetricTest, Order, Plan } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import type { PeriodShift, Shift } from '../nodes/shift.ts';
import { AnswerRenderer, type Rows } from './answer-rows.ts';
import { RowsRenderer } from './rows.ts';

/**
 * Renders a plan as a statement.
 *
 * @param hasInnerJoins uses inner joins where the plan found that no row is lost; they are faster, and right only for the
 * data that was checked
 */
export function render(plan: Plan, model: Model, dialect: Dialect, hasInnerJoins = false): Statement {
  return rendered(model, dialect, hasInnerJoins, (rendererOf) => rendererOf(plan).statement());
}

/** Restricts a plan to groups of another answer, which has the same fields. */
export interface SemiJoin {
  readonly plan: Plan;
  /** The index of the group whose periods match at a distance of `shift`; `undefined` where all groups match directly. */
  readonly axis: number | undefined;
  readonly shift: Shift | PeriodShift;
}

/**
 * Returns the statement of a plan, limited to the groups that another answer needs. If that answer fills empty periods, it
 * needs all groups of its series.
 */
export function renderSemiJoin(
  plan: Plan,
  semiJoin: SemiJoin,
  model: Model,
  dialect: Dialect,
  hasInnerJoins = false,
): Statement {
  return rendered(model, dialect, hasInnerJoins, (rendererOf) => {
    return rendererOf(plan).semiJoin(semiJoin, rendererOf(semiJoin.plan).statement({ isNested: true }));
  });
}

function rendered(
  model: Model,
  dialect: Dialect,
  hasInnerJoins: boolean,
  write: (rendererOf: (plan: Plan) => Renderer) => Sql,
): Statement {
  let nested = 0;
  const newRowsRenderer = (): RowsRenderer =>
    new RowsRenderer(model, dialect, hasInnerJoins, (inner) => {
      nested += 1;
      return new Renderer(inner, newRowsRenderer(), dialect).groups(`service_among_${nested}`);
    });
  return write((plan) => new Renderer(plan, newRowsRenderer(), dialect)).print(dialect);
}

class Renderer {
  readonly #plan: Plan;
  readonly #rows: RowsRenderer;
  readonly #answer: AnswerRenderer;
  readonly #dialect: Dialect;

  constructor(plan: Plan, rows: RowsRenderer, dialect: Dialect) {
    this.#plan = plan;
    this.#rows = rows;
    this.#answer = new AnswerRenderer(plan, rows, dialect);
    this.#dialect = dialect;
  }

  /** @param isNested true where another statement compares the texts of this one, by their collation */
  statement({ isNested = false }: { readonly isNested?: boolean } = {}): Sql {
    const { groups, subqueries, crosstab, fill, order, limit } = this.#plan;
    const columns = [
      ...this.#named(isNested),
      ...(crosstab?.isInterleaved === true ? ['answer.nth AS service_row_place'] : []),
    ].join(', ');
    if (crosstab !== undefined) return this.#crosstab(crosstab, columns);
    const { common, rows } = this.#answer.rows(subqueries, groups, 'service_block');
    const sorted = this.#order(fill?.order ?? order);
    return joinSql(
      [
        sql`${withClause(common)}SELECT ${columns}`,
        sql`FROM (\n${rows}\n) AS answer`,
        ...this.#having(),
        ...(sorted.length === 0 ? [] : [`ORDER BY ${sorted.join(', ')}`]),
        this.#dialect.limit(limit),
      ],
      '\n',
    );
  }

  /** Writes the columns of an answer with the names that the answer uses. */
  #named(isNested = false): readonly string[] {
    const { groups, metrics, subqueries } = this.#plan;
    const isSpelled = !isNested && groups.length > 1;
    return [
      ...groups.map((group, index) => {
        const spelled = isSpelled ? this.#spelled(group, index) : `answer.g${index}`;
        const value = this.#leaving(spelled, isInstant(group));
        return `${value} AS ${this.#dialect.identifier(fieldKey(group))}`;
      }),
      ...metrics.map((column, index) => {
        const value = this.#leaving(`answer.m${index}`, isInstantOfMetric(column));
        return `${value} AS ${this.#dialect.identifier(column.metric.name)}`;
      }),
      ...this.#answer.hidden(subqueries).map((name, index) => `answer.${name} AS service_hidden_${index}`),
      ...this.#collated(),
    ];
  }

  /** Writes a group of texts that are equal by their collation in one spelling for all rows of the answer. */
  #spelled(group: FieldInRole, index: number): string {
    const { exactText } = this.#dialect;
    const value = `answer.g${index}`;
    return exactText === undefined || !isText(group) ? value : exactText.lowest(value, ` OVER (PARTITION BY ${value})`);
  }

  /** Writes the columns by which two answers find the texts that are equal by their collation. */
  #collated(): readonly string[] {
    const { groups, isMatched = false } = this.#plan;
    const { exactText } = this.#dialect;
    if (exactText === undefined || !isMatched) return [];
    return groups.flatMap((group, index) => {
      return isText(group) ? [`${exactText.collated(`answer.g${index}`)} AS ${collatedColumn(index)}`] : [];
    });
  }

  #leaving(value: string, isOfInstants: boolean): string {
    return isOfInstants ? this.#dialect.instantInUtc(value) : value;
  }

  /**
   * Writes the groups that another answer has too. UNION ALL combines both answers, and a window function over each group
   * finds the groups in both: like grouping, it treats nulls as equal.
   *
   * @param answer the statement of the other answer, which has the same groups
   */
  semiJoin({ plan: { fill }, axis, shift }: SemiJoin, answer: Sql): Sql {
    const { groups, metrics, subqueries, limit } = this.#plan;
    const all = 'service_base_rows';
    const { common, rows } = this.#answer.rows(subqueries, groups, 'service_base');
    const keys = groups.map((_, index) => `g${index}`);
    const others = [...metrics.map((_, index) => `m${index}`), ...this.#answer.hidden(subqueries)];
    const looked = groups.map((group, index) => {
      const name = `wanted.${this.#dialect.identifier(fieldKey(group))}`;
      const moved =
        index === axis && shift.unit !== 'period'
          ? this.#dialect.shifted(
              { expression: name, type: 'date', zone: undefined },
              String(shift.count),
              dayUnitOf(shift),
            )
          : name;
      return `${moved} AS g${index}`;
    });
    const missing = others.map((name) => `${this.#dialect.lackedColumn(name, all)} AS ${name}`);
    // A series needs all its periods where empty periods are filled, and where a table defines the distances.
    const isOpen = (index: number) => index === fill?.group || (index === axis && shift.unit === 'period');
    const by = keys.filter((_, index) => !isOpen(index));
    const over = by.length === 0 ? '' : `PARTITION BY ${by.join(', ')}`;
    const lines = [
      sql`${withClause([...common, sql`${all} AS (\n${rows}\n)`])}SELECT ${this.#named().join(', ')}`,
      'FROM (',
      `  SELECT ${[...keys, ...others, 'is_wanted', `MAX(is_wanted) OVER (${over}) AS group_wanted`].join(', ')}`,
      '  FROM (',
      `    SELECT ${[...keys, ...others, '0 AS is_wanted'].join(', ')} FROM ${all}`,
      '    UNION ALL',
      sql`    SELECT ${[...looked, ...missing, '1 AS is_wanted'].join(', ')} FROM (\n${answer}\n    ) AS wanted`,
      '  ) AS layers',
      ') AS answer',
      'WHERE answer.is_wanted = 0 AND answer.group_wanted = 1',
      this.#dialect.limit(limit),
    ];
    return joinSql(lines, '\n');
  }

  /** Writes the groups that pass the filters on metrics, without the metrics. */
  groups(cteName: string): Sql {
    const { groups, subqueries } = this.#plan;
    const columns = groups.map((_, index) => `answer.g${index}`).join(', ');
    const { common, rows } = this.#answer.rows(subqueries, groups, cteName);
    const from = sql`${withClause(common)}SELECT ${columns}\nFROM (\n${rows}\n) AS answer`;
    return joinSql([from, ...this.#having()], '\n');
  }

  /**
   * Writes the WHERE clause that filters groups by their metrics. A masked group never passes, so that trial filters cannot
   * find it.
   */
  #having(): readonly SqlPart[] {
    const { having } = this.#plan;
    if (having.length === 0) return [];
    const unmasked = this.#counts().map(
      (name) => `(${name} IS NULL OR ${name} >= ${this.#plan.suppression?.threshold})`,
    );
    return [sql`WHERE ${joinSql([...unmasked, ...having.map((one) => this.#metricTest(one))], '\n  AND ')}`];
  }

  #metricTest(condition: MetricTest): SqlPart {
    if (condition.kind === 'test') {
      const { metric, type, test } = condition;
      return this.#rows.tested(type, `answer.m${metric}`, test);
    }
    const tests = condition.of.map((one) => this.#metricTest(one));
    const joined = joinSql(tests, condition.kind === 'any' ? ' OR ' : ' AND ');
    return tests.length === 1 ? joined : sql`(${joined})`;
  }

  /** Lists the columns with the size of a group, where small groups are masked. */
  #counts(): readonly string[] {
    const { suppression, subqueries } = this.#plan;
    if (suppression === undefined) return [];
    const names = [...suppression.counts.map((count) => `m${count}`), ...this.#answer.hidden(subqueries)];
    return names.map((name) => `answer.${name}`);
  }

  /** Writes a crosstab: every cell of the requested row groups, with the place of its row group (`nth`). */
  #crosstab(crosstab: Crosstab, columns: string): Sql {
    const { groups, subqueries, order, limit } = this.#plan;
    const cells = this.#withHaving(this.#answer.rows(subqueries, groups, 'service_block'));
    const byMetric = crosstab.order.some(({ by }) => by === 'metric');
    const { common, rows } = byMetric ? this.#rankedRows(crosstab, cells) : this.#rankedByFields(crosstab, cells);
    const within =
      crosstab.limit === undefined || byMetric ? 'answer.nth IS NOT NULL' : `answer.nth <= ${crosstab.limit}`;
    const sorted = crosstab.isInterleaved
      ? order.map((each) => (each.by === 'metric' ? `answer.${placeBy(each)}` : this.#orderItem(each)))
      : ['answer.nth', ...order.filter((each) => !crosstab.order.includes(each)).map((each) => this.#orderItem(each))];
    return joinSql(
      [
        sql`${withClause(common)}SELECT ${columns}`,
        sql`FROM (\n${rows}\n) AS answer`,
        `WHERE ${byMetric ? 'answer.is_cell = 1 AND ' : ''}${within}`,
        `ORDER BY ${sorted.join(', ')}`,
        this.#dialect.limit(limit),
      ],
      '\n',
    );
  }

  #withHaving({ common, rows }: Rows): Rows {
    const having = this.#having();
    if (having.length === 0) return { common, rows };
    return { common, rows: sql`  SELECT answer.*\n  FROM (\n${rows}\n  ) AS answer\n  ${joinSql(having, '\n  ')}` };
  }

  /** Ranks row groups by fields only: all cells of a row group get the same place. */
  #rankedByFields({ order }: Crosstab, { common, rows }: Rows): Rows {
    const place = `DENSE_RANK() OVER (ORDER BY ${this.#order(order).join(', ')})`;
    return { common, rows: sql`  SELECT answer.*, ${place} AS nth\n  FROM (\n${rows}\n  ) AS answer` };
  }

  /**
   * Ranks row groups by metrics. The same subqueries, grouped by the rows only, give each row group its place, and also its
   * place by each metric where fields of columns sort in between. UNION ALL and a window function over each row group copy
   * the places to the cells: like grouping, they treat nulls as equal.
   */
  #rankedRows({ subqueries, order, limit, isInterleaved }: Crosstab, cells: Rows): Rows {
    const { groups, rowGroups } = this.#plan;
    const ranked = this.#answer.rows(subqueries, groups.slice(0, rowGroups), 'service_row_block');
    const keys = Array.from({ length: rowGroups }, (_, index) => `g${index}`);
    const others = [
      ...groups.slice(rowGroups).map((_, index) => `g${rowGroups + index}`),
      ...this.#answer.metrics.map((_, index) => `m${index}`),
      ...this.#answer.hidden(subqueries),
    ];
    const byMetric = isInterleaved ? order.filter(({ by }) => by === 'metric') : [];
    const places = ['nth', ...byMetric.map(placeBy)];
    const computed = [
      `ROW_NUMBER() OVER (ORDER BY ${this.#order(order).join(', ')}) AS nth`,
      ...byMetric.map((each) => `DENSE_RANK() OVER (ORDER BY ${this.#orderItem(each)}) AS ${placeBy(each)}`),
    ];
    const missing = (names: readonly string[], from: string) =>
      names.map((name) => `${this.#dialect.lackedColumn(name, from)} AS ${name}`);
    const values = others.slice(groups.length - rowGroups);
    // A row group has another window, or another date, than its cells, so cells may have facts where their row group has
    // none.
    const rows = subqueries.some(({ windowed, periods }) => windowed !== undefined || periods !== undefined)
      ? rowGroupsOfCells(ranked.rows, keys, values, missing(values, 'service_cells'))
      : ranked.rows;
    const placed = [
      `  SELECT ${[...keys.map((key) => `answer.${key} AS ${key}`), ...computed].join(', ')}`,
      sql`  FROM (\n${rows}\n  ) AS answer`,
      ...(limit === undefined ? [] : [`  ORDER BY nth`, `  ${this.#dialect.limit(limit)}`]),
    ];
    const brought = places.map((name) => `MAX(${name}) OVER (PARTITION BY ${keys.join(', ')}) AS ${name}`);
    return {
      common: [
        ...cells.common,
        sql`service_cells AS (\n${cells.rows}\n)`,
        ...ranked.common,
        sql`service_rows AS (\n${joinSql(placed, '\n')}\n)`,
      ],
      rows: [
        `  SELECT ${[...keys, ...others, 'is_cell', ...brought].join(', ')}`,
        '  FROM (',
        `    SELECT ${[...keys, ...others, '1 AS is_cell', ...missing(places, 'service_rows')].join(', ')} FROM service_cells`,
        '    UNION ALL',
        `    SELECT ${[...keys, ...missing(others, 'service_cells'), '0 AS is_cell', ...places].join(', ')} FROM service_rows`,
        '  ) AS layers',
      ].join('\n'),
    };
  }

  #order(order: readonly Order[]): readonly string[] {
    return order.map((each) => this.#orderItem(each));
  }

  /** Writes an ORDER BY item. A masked row has no rank: its metrics sort as null. */
  #orderItem({ by, index, direction }: Order): string {
    if (by === 'group') return this.#dialect.orderBy(`answer.g${index}`, direction);
    const { suppression } = this.#plan;
    const counts = this.#counts();
    if (suppression === undefined || counts.length === 0) return this.#dialect.orderBy(`answer.m${index}`, direction);
    const masked = counts.map((name) => `${name} < ${suppression.threshold}`).join(' OR ');
    return this.#dialect.orderBy(`CASE WHEN ${masked} THEN NULL ELSE answer.m${index} END`, direction);
  }
}

/**
 * Returns a SELECT of the row groups of the cells, with their values in `rows`; null where `rows` lacks the row group.
 *
 * @param missing SQL of a null for each value
 */
function rowGroupsOfCells(
  rows: SqlPart,
  keys: readonly string[],
  values: readonly string[],
  missing: readonly string[],
): SqlPart {
  const any = (of: string) => `MAX(${of}) OVER (PARTITION BY ${keys.join(', ')})`;
  const lines = [
    `  SELECT ${[...keys, ...values].join(', ')}`,
    `  FROM (\n  SELECT ${[...keys, ...values, 'is_ranked', `${any('is_ranked')} AS group_ranked`, `${any('is_of_cells')} AS has_cells`].join(', ')}`,
    '  FROM (',
    sql`    SELECT ${[...keys, ...values, '1 AS is_ranked', '0 AS is_of_cells'].join(', ')} FROM (\n${rows}\n    ) AS ranked`,
    '    UNION ALL',
    `    SELECT ${[...keys, ...missing, '0 AS is_ranked', '1 AS is_of_cells'].join(', ')} FROM (SELECT DISTINCT ${keys.join(', ')} FROM service_cells) AS cells`,
    '  ) AS layers\n  ) AS layers',
    '  WHERE has_cells = 1 AND is_ranked = group_ranked',
  ];
  return joinSql(lines, '\n');
}

/** Returns the unit of a step from period to period, which is never shorter than a day. */
function dayUnitOf({ unit }: Shift): StepUnit {
  if (unit === 'millisecond') throw new InternalError('periods are moved by less than a day');
  return unit;
}

/** Returns whether a group is a text, which a collation compares. */
function isText({ field, grain }: FieldInRole): boolean {
  return grain === undefined && field.type === 'text';
}

/** Returns whether a group is an instant itself. Grains write theirs. */
function isInstant({ field, grain }: FieldInRole): boolean {
  return grain === undefined && field.type === 'timestamptz';
}

/** Returns whether a metric is one of the instants that it reads, such as the first. */
function isInstantOfMetric({ metric, aggregation }: MetricColumn): boolean {
  const isValue = aggregationFacts(aggregation ?? metric.aggregationKind)?.result === 'value';
  return isValue && metric.argumentType?.type === 'timestamptz';
}

/** Returns the name of the column with a row group's place by one metric. */
function placeBy({ index }: Order): string {
  return `p${index}`;
}

function withClause(common: readonly SqlPart[]): SqlPart {
  return common.length === 0 ? '' : sql`WITH ${joinSql(common, ',\n')}\n`;
}
