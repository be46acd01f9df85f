/** Writes the SQL of conversions. One window function over all events finds the latest base event before each event. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { isMomentType } from '../../../../router/date-grains.ts';
import { InternalError } from '../../../../router/errors.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import type { ColumnLeaf } from '../../model/template.ts';
import type { Converted, EventRows, FactSubquery } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import type { RowsRenderer } from './rows.ts';

export class ConversionRenderer {
  readonly #rows: RowsRenderer;
  readonly #dialect: Dialect;

  constructor(rows: RowsRenderer, dialect: Dialect) {
    this.#rows = rows;
    this.#dialect = dialect;
  }

  /** Writes the groups of the base events, as `g…`. */
  shown(subquery: FactSubquery, grouping: readonly FieldInRole[]): SqlPart {
    return sql`  SELECT DISTINCT ${this.#groups(subquery, grouping).join(', ')}\n  ${this.#fromWhere(subquery, grouping.length)}`;
  }

  /**
   * Writes common table expressions. The last, `${name}_found`, has each event with the aggregates' inputs and the number
   * of the base event that it counts for. Base events are numbered by time, so the latest base event of an entity before a
   * moment has the greatest number, and one pass over both kinds of events finds it. If this one is not within the window,
   * no earlier one is.
   */
  common({ base }: FactSubquery, converted: Converted, name: string, reads: readonly ColumnLeaf[]): readonly SqlPart[] {
    const { key } = converted;
    const keys = key.map((_, index) => `k${index}`);
    const alike = converted.base.alike.map((_, index) => `x${index}`);
    const read = reads.map((_, index) => `c${index}`);
    const missing = (names: readonly string[], from: string) =>
      names.map((one) => `${this.#dialect.lackedColumn(one, from)} AS ${one}`);
    const of = (side: EventRows, others: readonly string[]) => {
      const columns = [...this.#alike(side), `${this.#moment(side, converted.byDay)} AS t`, ...others].join(', ');
      const filters = side.filters.map((each) => `(${this.#rows.expression(each)})`);
      return sql`    SELECT ${columns}\n    ${this.#rows.from(side.tree, '    ')}${this.#rows.where(side.tree.root, [], '    ', filters)}`;
    };
    const isComplete = ['t', ...alike].map((one) => `events.${one} IS NOT NULL`).join(' AND ');
    const keyColumns = key.map((column, index) => `${this.#rows.column({ dataset: base, column })} AS k${index}`);
    const readColumns = reads.map((leaf, index) => `${this.#rows.column(leaf)} AS c${index}`);
    const bases = `${name}_bases`;
    const events = `${name}_events`;
    return [
      sql`${bases} AS (\n  SELECT ${[...alike, 't', ...keys].map((one) => `events.${one} AS ${one}`).join(', ')}, ROW_NUMBER() OVER (ORDER BY ${['t', ...keys].map((one) => `events.${one}`).join(', ')}) AS nth\n  FROM (\n${of(converted.base, keyColumns)}\n  ) AS events\n  WHERE ${isComplete}\n)`,
      sql`${events} AS (\n  SELECT ${[...alike, 't', ...read].map((one) => `events.${one} AS ${one}`).join(', ')}\n  FROM (\n${of(converted.conversion, readColumns)}\n  ) AS events\n  WHERE ${isComplete}\n)`,
      [
        `${name}_found AS (`,
        `  SELECT ${['t', ...read, 'is_conversion'].map((one) => `both_events.${one} AS ${one}`).join(', ')},`,
        `    MAX(both_events.nth) OVER (PARTITION BY ${alike.map((one) => `both_events.${one}`).join(', ')} ORDER BY both_events.t, both_events.is_conversion ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS nth`,
        '  FROM (',
        `    SELECT ${[...alike, 't', 'nth', '0 AS is_conversion', ...missing(read, events)].join(', ')} FROM ${bases}`,
        '    UNION ALL',
        `    SELECT ${[...alike, 't', ...missing(['nth'], bases), '1 AS is_conversion', ...read].join(', ')} FROM ${events}`,
        '  ) AS both_events',
        ')',
      ].join('\n'),
    ];
  }

  /** Writes the events: the groups of their base events as `g…`, and the aggregates' inputs as `c…`. */
  conversions(
    subquery: FactSubquery,
    { key, step, byDay, conversion }: Converted,
    grouping: readonly FieldInRole[],
    name: string,
    reads: readonly ColumnLeaf[],
  ): SqlPart {
    const groups = this.#groups(subquery, grouping);
    const keys = key.map((column, index) => `${this.#rows.column({ dataset: subquery.base, column })} AS k${index}`);
    const type = byDay ? 'date' : conversion.by.type;
    if (!isMomentType(type)) throw new InternalError('the time of a conversion is not a date');
    const moment = { expression: 'fact_rows.t', type, zone: conversion.zone };
    const within =
      step === undefined ? [] : [`bases.t > ${this.#dialect.shifted(moment, String(-step.count), step.unit)}`];
    const outer = grouping.map((_, index) => `base_rows.g${index} AS g${index}`);
    const read = reads.map((_, index) => `fact_rows.c${index} AS c${index}`);
    const columns = [...outer, ...read, 'fact_rows.t AS t'].join(', ');
    const base = sql`SELECT DISTINCT ${[...groups, ...keys].join(', ')}\n    ${this.#fromWhere(subquery, grouping.length)}`;
    const joins = [
      `  INNER JOIN ${name}_bases AS bases ON ${key.map((_, index) => `bases.k${index} = base_rows.k${index}`).join(' AND ')}`,
      `  INNER JOIN ${name}_found AS fact_rows ON fact_rows.nth = bases.nth`,
      `  WHERE ${['fact_rows.is_conversion = 1', ...within].join(' AND ')}`,
    ].join('\n');
    return sql`  SELECT ${columns}\n  FROM (\n    ${base}\n  ) AS base_rows\n${joins}`;
  }

  #groups({ groups, groupNodes }: FactSubquery, grouping: readonly FieldInRole[]): readonly string[] {
    return grouping.map((_, index) => {
      const [group, node] = [groups[index], groupNodes[index]];
      if (group === undefined || node === undefined) throw new InternalError('a group has no place in its subquery');
      return `${this.#rows.group(group, node)} AS g${index}`;
    });
  }

  #fromWhere(subquery: FactSubquery, groupCount: number): SqlPart {
    const { converted, groups } = subquery;
    return this.#rows.fromWhere(subquery, groups.slice(0, groupCount), converted?.base.filters ?? [], '    ');
  }

  #alike({ alike }: EventRows): readonly string[] {
    return alike.map((one, index) => `${this.#rows.expression(one)} AS x${index}`);
  }

  /** Writes the moment of an event so that moments of both kinds of events compare. */
  #moment({ by, zone }: EventRows, byDay: boolean): string {
    const scalar = this.#rows.expression(by.expression);
    const expression = by.expression.length === 1 ? scalar : `(${scalar})`;
    if (!isMomentType(by.type)) throw new InternalError('the time of a conversion is not a date');
    const moment = { expression, type: by.type, zone };
    return byDay ? this.#dialect.grains.day(moment, 1) : this.#dialect.shifted(moment, '0', 'second');
  }
}
