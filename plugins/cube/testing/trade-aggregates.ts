/** The cube of `trade.ts` with aggregate tables of every kind of column. */
import { TRADE_SCHEMA, TRADE_TABLES } from './trade.ts';

const FROM = 'FROM trade AS f JOIN town AS t ON t.id = f.town JOIN month AS m ON m.id = f.month';
const COLUMNS = 'units INTEGER, amount DECIMAL(12,2), n INTEGER, unit_count INTEGER';
const SUMS = 'SUM(f.units), SUM(f.amount), COUNT(*), COUNT(f.units)';

/** The tables of the cube with exact amounts, and its aggregate tables. */
export const AGGREGATED_TABLES: readonly string[] = [
  ...TRADE_TABLES.map((statement) => statement.replace('amount DOUBLE PRECISION', 'amount DECIMAL(12,2)')),
  `CREATE TABLE trade_by_month (region VARCHAR(20), town VARCHAR(20), year INTEGER, quarter VARCHAR(2), month INTEGER, buyers INTEGER, ${COLUMNS})`,
  `INSERT INTO trade_by_month SELECT t.region, t.town, m.year, m.quarter, m.month, COUNT(DISTINCT f.person), ${SUMS}
    ${FROM} GROUP BY t.region, t.town, m.year, m.quarter, m.month`,
  `CREATE TABLE trade_by_town (town_id INTEGER, the_year INTEGER, ${COLUMNS})`,
  `INSERT INTO trade_by_town SELECT f.town, m.year, ${SUMS} ${FROM} GROUP BY f.town, m.year`,
  `CREATE TABLE trade_by_person (person VARCHAR(20), code INTEGER, ${COLUMNS})`,
  `INSERT INTO trade_by_person SELECT f.person, m.id, ${SUMS} ${FROM} GROUP BY f.person, m.id`,
];

const SUMMED = `<AggFactCount column="n"/><AggMeasureFactCount column="unit_count" factColumn="units"/>
  <AggMeasure name="[Measures].[Units]" column="units"/><AggMeasure name="[Measures].[Amount]" column="amount"/>`;

export const BY_MONTH = `<AggName name="trade_by_month">${SUMMED}<AggMeasure name="[Measures].[Buyers]" column="buyers"/>
  <AggLevel name="[Place].[Region]" column="region"/><AggLevel name="[Place].[Town]" column="town"/>
  <AggLevel name="[Time].[Year]" column="year"/><AggLevel name="[Time].[Quarter]" column="quarter"/><AggLevel name="[Time].[Month]" column="MONTH"/></AggName>`;

const BY_TOWN = `<AggName name="trade_by_town">${SUMMED}<AggForeignKey factColumn="town" aggColumn="town_id"/>
  <AggLevel name="[Time].[Year]" column="the_year"/></AggName>`;

const BY_PERSON = `<AggPattern pattern="TRADE_BY_.*" approxRowCount="30"><AggExclude name="trade_by_month"/><AggExclude pattern=".*_town"/>${SUMMED}
  <AggLevel name="[Buyer].[Person]" column="person"/><AggLevel name="[Time.Codes].[Code]" column="code" collapsed="false"/></AggPattern>`;

/** Returns the schema with aggregate tables of the facts. */
export function tradeWith(aggregates: string): string {
  return TRADE_SCHEMA.replace('<Table name="trade"/>', `<Table name="trade">${aggregates}</Table>`);
}

export const AGGREGATED_SCHEMA = tradeWith(`${BY_MONTH}${BY_TOWN}${BY_PERSON}`);
