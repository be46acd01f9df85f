/**
 * Precision and recall of the anomaly methods on what was planted in the demo (`demo/README.md`).
 *
 *   npm run build && node dist/service.js start --demo --home HOME     stages the demo, once; stop it then
 *   npm run bench:anomaly -- HOME
 */
import { spawnSync } from 'node:child_process';
import { ANOMALY_METHODS } from '../../plugins/analytics/index.ts';

interface Planted {
  readonly name: string;
  readonly metric: string;
  readonly field: 'date' | 'month';
  readonly filters: readonly object[];
  /** First characters of the periods that are to be flagged. */
  readonly isPlanted: (period: string) => boolean;
}

const eq = (dataset: string, field: string, value: string) => ({ dataset, field, op: 'EQ', value });
const between = (from: string, to: string) => (period: string) => period >= from && period <= to;

const PLANTED: readonly Planted[] = [
  {
    name: 'store closed (a week of days)',
    metric: 'net_sales',
    field: 'date',
    filters: [eq('stores', 'store', 'Lyon Part-Dieu')],
    isPlanted: between('2024-03-11', '2024-03-17'),
  },
  {
    name: 'till set to cases (one day)',
    metric: 'net_sales',
    field: 'date',
    filters: [eq('stores', 'store', 'Rotterdam Witte de With')],
    isPlanted: between('2025-02-18', '2025-02-18'),
  },
  {
    name: 'web shop down (one day)',
    metric: 'net_sales',
    field: 'date',
    filters: [eq('sales', 'channel', 'Online')],
    isPlanted: between('2024-11-29', '2024-11-29'),
  },
  {
    name: 'supplier raised prices (six months)',
    metric: 'margin_rate',
    field: 'month',
    filters: [eq('products', 'category', 'Lighting')],
    isPlanted: between('2025-07-01', '2025-12-31'),
  },
];

const [home] = process.argv.slice(2);
if (home === undefined || home === '--help') {
  console.log('npm run bench:anomaly -- HOME   (a home folder whose demo is staged; the product is built)');
  process.exit(home === undefined ? 2 : 0);
}
console.log('| Planted | Method | found | missed | other flags | precision | recall |');
console.log('|---|---|---:|---:|---:|---:|---:|');
for (const { name, metric, field, filters, isPlanted } of PLANTED) {
  for (const method of Object.keys(ANOMALY_METHODS)) {
    const request = {
      query: {
        connection: 'demo',
        rows: [{ dataset: 'calendar', field }],
        values: [{ metric }],
        filters,
      },
      timeAxis: `calendar.${field}`,
      method,
    };
    const { stdout, stderr } = spawnSync(process.execPath, ['dist/service.js', 'anomaly', '--home', home, '--json'], {
      input: JSON.stringify(request),
      encoding: 'utf8',
      maxBuffer: 64e6,
    });
    if (stdout === '') throw new Error(stderr);
    const {
      records,
      anomaly,
    }: { records: Record<string, { anomaly?: object } & string>[]; anomaly: { method: string } } = JSON.parse(stdout);
    const all = records.map((record) => ({
      planted: isPlanted(String(record[`calendar.${field}`])),
      flagged: record[metric]?.anomaly !== undefined,
    }));
    const count = (planted: boolean, flagged: boolean) =>
      all.filter((each) => each.planted === planted && each.flagged === flagged).length;
    const [found, missed, others] = [count(true, true), count(true, false), count(false, true)];
    const ratio = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(2));
    const used = anomaly.method === method ? method : `${method} (${anomaly.method})`;
    console.log(
      `| ${name} | ${used} | ${found} | ${missed} | ${others} | ${ratio(found, found + others)} | ${ratio(found, found + missed)} |`,
    );
  }
}
