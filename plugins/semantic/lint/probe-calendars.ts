/**
 * Checks in the data that calendars in tables have each day once, and all days of the facts. Reads only counts, and first
 * and last days.
 */
import { DAY_MS, dateText, readMoment } from '../../../router/calendar.ts';
import type { Scalar, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { isMomentType } from '../../../router/date-grains.ts';
import { type Sql, type SqlPart, sql } from '../../query-surface/index.ts';
import { mainDateOf } from '../model/main-date.ts';
import type { Field, Model } from '../model/model.ts';
import type { Problems } from '../model/problems.ts';
import type { Draft } from '../model/read-draft.ts';
import { singleDatasetTree } from '../query/joins/join-tree.ts';
import { zoneOf } from '../query/nodes/grain.ts';
import { RowsRenderer } from '../query/render/rows.ts';
import { times } from './probe-keys.ts';

/** @throws the warehouse's error */
export async function probeCalendars(
  { place }: Pick<Draft, 'place'>,
  model: Model,
  warehouse: Warehouse,
  problems: Problems,
): Promise<void> {
  const probe = new Probe(model, warehouse);
  const warn = (message: string) => problems.warn([...place, 'custom_extensions'], message);
  const dates = new Map(model.time.tables.map(({ dataset, date }) => [`${dataset}.${date}`, { dataset, date }]));
  for (const [name, { dataset, date }] of dates) {
    const field = model.datasets.get(dataset)?.fields.get(date);
    if (field === undefined) continue;
    const { first, last, days, repeated, missing } = await probe.days(field);
    if (repeated > 0) {
      warn(
        `the calendar ${name} has ${times(repeated, 'day')} on more than one row; the lowest key of a day is taken.`,
      );
    }
    if (first === undefined || last === undefined) {
      warn(`the calendar ${name} has no days.`);
      continue;
    }
    const between = `between ${dateText(first)} and ${dateText(last)}`;
    const gaps = last - first + 1 - days;
    if (gaps > 0) warn(`the calendar ${name} lacks ${times(gaps, 'day')} ${between}, which are of no period.`);
    if (missing > 0) warn(`the calendar ${name} is null on ${times(missing, 'row')}.`);
    for (const other of mainDates(model, dataset)) {
      const outside = await probe.outside(other, field);
      if (outside === 0) continue;
      warn(
        `the calendar ${name} has days ${between}, and ${times(outside, 'row')} of ${other.dataset} ${outside === 1 ? 'has' : 'have'} another ${other.name}, which is of no period.`,
      );
    }
  }
}

/** Returns the main dates that are fields of their own dataset. */
function mainDates(model: Model, calendar: string): readonly Field[] {
  return [...model.datasets.keys()].flatMap((name) => {
    const field = name === calendar ? undefined : mainDateOf(name, model);
    return field === undefined || field.dataset !== name ? [] : [field];
  });
}

class Probe {
  readonly #model: Model;
  readonly #warehouse: Warehouse;

  constructor(model: Model, warehouse: Warehouse) {
    this.#model = model;
    this.#warehouse = warehouse;
  }

  /** Returns the first and last day of a calendar, and the numbers of missing, repeated and null days. */
  async days(field: Field) {
    const days = this.#days(field);
    const [first, last, count] = await this.#row(
      sql`SELECT MIN(days.d) AS first_day, MAX(days.d) AS last_day, COUNT(DISTINCT days.d) AS n FROM (${days}) AS days WHERE days.d IS NOT NULL`,
    );
    const twice = sql`SELECT days.d AS d FROM (${days}) AS days WHERE days.d IS NOT NULL GROUP BY days.d HAVING COUNT(*) > 1`;
    const [repeated] = await this.#row(sql`SELECT COUNT(*) AS n FROM (${twice}) AS twice`);
    const [missing] = await this.#row(sql`SELECT COUNT(*) AS n FROM (${days}) AS days WHERE days.d IS NULL`);
    return {
      first: dayOf(first),
      last: dayOf(last),
      days: Number(count ?? 0),
      repeated: Number(repeated ?? 0),
      missing: Number(missing ?? 0),
    };
  }

  /** Counts rows with a day that the calendar lacks. */
  async outside(date: Field, calendar: Field): Promise<number> {
    const calendarDays = sql`SELECT known.d FROM (${this.#days(calendar)}) AS known WHERE known.d IS NOT NULL`;
    const [count] = await this.#row(
      sql`SELECT COUNT(*) AS n FROM (${this.#days(date)}) AS days WHERE days.d IS NOT NULL AND days.d NOT IN (${calendarDays})`,
    );
    return Number(count ?? 0);
  }

  /** Returns a SELECT of the day of each row. */
  #days(field: Field): SqlPart {
    const { dialect } = this.#warehouse;
    const rows = new RowsRenderer(this.#model, dialect);
    const { type } = field;
    const expression = field.expression.length === 1 ? rows.field(field) : `(${rows.field(field)})`;
    const zone = zoneOf(field, this.#model.time);
    const day = isMomentType(type) ? dialect.grains.day({ expression, type, zone }, 1) : expression;
    return sql`SELECT ${day} AS d ${rows.from(singleDatasetTree(field.dataset), '')}`;
  }

  async #row(statement: Sql): Promise<readonly (Scalar | undefined)[]> {
    const { values } = await this.#warehouse.query(statement.print(this.#warehouse.dialect), { maxRows: 1 });
    return values.map(([cell]) => cell);
  }
}

function dayOf(cell: Scalar | undefined): number | undefined {
  const moment = cell === null || cell === undefined ? undefined : readMoment(String(cell));
  return moment === undefined ? undefined : Math.floor(moment / DAY_MS);
}
