/** Loading and asking models of ten to a thousand datasets, and of a hundred to ten thousand fields. */
import { Fixture } from '../../plugins/semantic/testing/fixture.ts';
import { openCache } from '../../server/cache/cache.ts';
import { startWarehouse } from '../../server/warehouse/testing/engines.ts';
import { head, median, mib, row } from '../print.ts';
import { timesOf, usedHeapBytes } from '../times.ts';

/** Numbers of datasets and of the fields of each. */
const SIZES = [
  [10, 10],
  [100, 10],
  [1_000, 10],
  [10, 1_000],
  [100, 100],
] as const;
const MAX_FIELDS = 1_000;
const RUNS = 9;

const each = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const expression = (text: string) => `expression: [{ dialect: ANSI_SQL, expression: ${text} }]`;

const TABLES = [
  `CREATE TABLE wide AS SELECT i AS id, ${each(MAX_FIELDS, (at) => `'v' || (i % ${(at % 50) + 2}) AS c_${at}`).join(', ')} FROM range(100) t(i)`,
  'CREATE TABLE fact AS SELECT i AS id, i % 100 AS key, (i % 97)::INTEGER AS amount FROM range(10000) t(i)',
];

function documentOf(datasets: number, fields: number): string {
  const dataset = (set: number) =>
    `      - { name: d_${set}, source: wide, primary_key: [id], fields: [${each(fields, (at) => `{ name: f_${at}, label: Field ${at} of ${set}, ${expression(`c_${at}`)} }`).join(', ')}] }`;
  const join = (set: number) =>
    `      - { name: r_${set}, from: fact, to: d_${set}, from_columns: [key], to_columns: [id] }`;
  return `semantic_model:
  - name: wide
    datasets:
      - { name: fact, source: fact, primary_key: [id], fields: [{ name: id, ${expression('id')} }] }
${each(datasets, dataset).join('\n')}
    relationships:
${each(datasets, join).join('\n')}
    metrics:
      - { name: amount, ${expression('SUM(fact.amount)')} }
`;
}

export async function scaleModelsPart(): Promise<void> {
  head('datasets × fields', 'document', 'first load', 'load again', 'memory', 'a query');
  for (const [datasets, fields] of SIZES) {
    const warehouse = await startWarehouse('duckdb', TABLES);
    const document = documentOf(datasets, fields);
    const before = usedHeapBytes();
    let opened: Fixture | undefined;
    const first = await timesOf(async () => {
      opened = await Fixture.open({ warehouse, cache: openCache({ maxBytes: 1, clock: Date.now }), document });
    });
    if (opened === undefined) throw new Error('the model was not opened');
    const model = opened;
    try {
      const again = await timesOf(() => model.reload(`${document}\n# another version`));
      const heap = usedHeapBytes() - before;
      const request = {
        rows: [{ dataset: `d_${datasets - 1}`, field: `f_${fields - 1}` }],
        values: [{ metric: 'amount' }],
      };
      await model.run(request);
      const asked: number[] = [];
      for (let run = 0; run < RUNS; run++) asked.push((await timesOf(() => model.run(request))).processor);
      row(
        `${datasets.toLocaleString('en')} × ${fields.toLocaleString('en')}`,
        mib(document.length),
        `${first.processor.toFixed(0)} ms`,
        `${again.processor.toFixed(0)} ms`,
        mib(heap),
        `${median(asked).toFixed(1)} ms`,
      );
    } finally {
      await model.close();
    }
  }
}
