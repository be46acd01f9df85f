/** Detects the demo's planted anomalies (`demo/README.md`) with an analyst's query for each. */
import {
  type ANOMALY_METHODS,
  findAnomalies,
  inlinePool,
  readTimeAxis,
  type SeriesRow,
} from '../../plugins/analytics/index.ts';
import type { AskableWarehouse } from './warehouse.ts';

export type AnomalyMethod = keyof typeof ANOMALY_METHODS;

export interface PlantedCase {
  readonly name: string;
  /** Two columns, period and value, ordered by time. */
  readonly sql: string;
  readonly isPlanted: (period: string) => boolean;
}

export interface Detection {
  /** The method that scored. */
  readonly used: AnomalyMethod;
  readonly hits: number;
  readonly missed: number;
  readonly others: number;
  /** Share of the flagged points that were planted; undefined where none is flagged. */
  readonly precision: number | undefined;
  /** Share of the planted points that are flagged. */
  readonly recall: number;
}

const between = (from: string, to: string) => (period: string) => period >= from && period <= to;
const day = (column: string) => `strftime(${column}, '%Y-%m-%d')`;
const month = (column: string) => day(`date_trunc('month', ${column})`);

export const PLANTED = {
  closed: {
    name: 'store closed (one week of the sales by week)',
    // A day without sales has no row; its week has one with fewer sales.
    sql: `SELECT ${day("date_trunc('week', calendar.date)")} AS period, count(sold.date)::DOUBLE AS value FROM calendar
      LEFT JOIN (SELECT sales.date FROM sales JOIN stores USING (store_id) WHERE store_name = 'Lyon Part-Dieu') sold
      ON sold.date = calendar.date GROUP BY period ORDER BY period`,
    isPlanted: between('2024-03-11', '2024-03-11'),
  },
  till: {
    name: 'till set to cases (one day of the pieces sold)',
    sql: `SELECT ${day('date')} AS period, sum(quantity)::DOUBLE FROM sales JOIN stores USING (store_id)
      WHERE store_name = 'Rotterdam Witte de With' GROUP BY period ORDER BY period`,
    isPlanted: between('2025-02-18', '2025-02-18'),
  },
  price: {
    name: 'slipped decimal point (three days of the average price)',
    sql: `SELECT ${day('date')} AS period, (sum(net_amount) / sum(quantity))::DOUBLE FROM sales
      JOIN products USING (product_id) WHERE product_name = 'Terracotta Planter' GROUP BY period ORDER BY period`,
    isPlanted: between('2025-05-09', '2025-05-11'),
  },
  web: {
    name: 'web shop down (one day of its share of the lines)',
    sql: `SELECT ${day('date')} AS period, avg(CASE WHEN channel = 'Online' THEN 1 ELSE 0 END)::DOUBLE FROM sales
      GROUP BY period ORDER BY period`,
    isPlanted: between('2024-11-29', '2024-11-29'),
  },
  supplier: {
    name: 'supplier raised prices (six months of the margin rate)',
    sql: `SELECT ${month('date')} AS period, (sum(net_amount - cost_amount) / sum(net_amount))::DOUBLE FROM sales
      JOIN products USING (product_id) WHERE category = 'Lighting' GROUP BY period ORDER BY period`,
    isPlanted: between('2025-07-01', '2025-12-31'),
  },
  container: {
    name: 'late container (one month of the stock)',
    sql: `SELECT ${day('snapshot_date')} AS period, sum(units_on_hand)::DOUBLE FROM inventory
      JOIN products USING (product_id) JOIN stores USING (store_id)
      WHERE category = 'Garden' AND region = 'South' GROUP BY period ORDER BY period`,
    isPlanted: between('2025-06-30', '2025-06-30'),
  },
} as const satisfies Record<string, PlantedCase>;

/** Scores the series of a case and compares the flagged points with the planted ones. */
export async function detectPlanted(
  warehouse: Pick<AskableWarehouse, 'rows'>,
  { sql, isPlanted }: PlantedCase,
  method: AnomalyMethod,
  threshold?: number,
): Promise<Detection> {
  const answer = await warehouse.rows(sql);
  const periods = answer.map(([period]) => String(period));
  const axis = await readTimeAxis(periods);
  if (axis === undefined) throw new Error('The periods of a case are no time axis.');
  const rows = answer.map(([, value]): SeriesRow => ({ by: {}, values: [Number(value)] }));
  const { marks, summary } = await findAnomalies(
    { axis, rows, metrics: ['value'] },
    { method, threshold },
    { pool: inlinePool, signal: undefined },
  );
  const count = (planted: boolean, flagged: boolean) =>
    periods.filter((period, row) => isPlanted(period) === planted && marks.has(row) === flagged).length;
  const [hits, missed, others] = [count(true, true), count(true, false), count(false, true)];
  const precision = hits + others === 0 ? undefined : hits / (hits + others);
  return { used: summary.method, hits: hits, missed, others, precision, recall: hits / (hits + missed) };
}
