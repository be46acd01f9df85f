import type { Command } from 'commander';
import type { AnswerRecord, TabularAnswer } from '../../router/capabilities/query-source.ts';
import { printRows } from './print.ts';
import { progress } from './progress.ts';
import { answerRequest, type QueryOptions, requestCommand } from './query.ts';

/** Milliseconds after which the command shows its progress. */
const PATIENCE_MS = 1_000;

export function forecastCommand(): Command {
  return requestCommand('forecast')
    .description('Continue the metrics of a typed request along its time axis, without the server.')
    .addHelpText('after', example('"method": "ets", "horizon": 6, "interval": 0.95'))
    .action(async (file: string | undefined, options: QueryOptions) => {
      await show(await analysed('forecast', file, options), options, forecastRows);
    });
}

export function anomalyCommand(): Command {
  return requestCommand('anomaly')
    .description('List unusual values in the metrics of a typed request along its time axis, without the server.')
    .addHelpText('after', example('"method": "stl", "threshold": 3'))
    .action(async (file: string | undefined, options: QueryOptions) => {
      await show(await analysed('anomaly', file, options), options, anomalyRows);
    });
}

function example(parameters: string): string {
  return `
The request, as POST …/ai/semantic/forecast and …/ai/forecast take it:
  { "query": { "connection": "demo", "rows": [{ "dataset": "sales", "field": "date", "grain": "month" }],
               "values": [{ "metric": "net_sales" }] },
    "timeAxis": "sales.date.month", ${parameters} }`;
}

async function analysed(kind: 'anomaly' | 'forecast', file: string | undefined, options: QueryOptions) {
  const begun = performance.now();
  let bar: ReturnType<typeof progress> | undefined;
  const onProgress = (done: number, total: number) => {
    if (!process.stderr.isTTY || performance.now() - begun < PATIENCE_MS) return;
    bar ??= progress(kind === 'forecast' ? 'Forecasting' : 'Scoring');
    bar.at(done, total, `${done} of ${total} series`);
  };
  try {
    return await answerRequest(file, options, { kind, onProgress });
  } finally {
    bar?.end();
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function show(
  answer: TabularAnswer,
  { json }: QueryOptions,
  renderRows: (answer: TabularAnswer) => Promise<RenderedAnswer>,
): Promise<void> {
  if (json === true) {
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    return;
  }
  const { rows, notes } = await renderRows(answer);
  printRows([...rows], false);
  for (const note of notes) process.stderr.write(`${note}\n`);
}

interface RenderedAnswer {
  readonly rows: Rows;
  readonly notes: readonly string[];
}

async function forecastRows({ forecast }: TabularAnswer): Promise<RenderedAnswer> {
  const { isForecasts } = await import('../launcher-offline.ts');
  if (!isForecasts(forecast)) return { rows: [], notes: [] };
  const all = Object.entries(forecast).flatMap(([metric, { series, ...single }]) =>
    (series ?? [{ by: {}, ...single }]).map((each) => ({ metric, ...each })),
  );
  return {
    rows: all.flatMap(({ metric, by, points }) =>
      points.map(({ index, period, value, lower, upper }) => ({
        ...by,
        metric,
        period: period ?? `+${index}`,
        value: rounded(value),
        lower: rounded(lower),
        upper: rounded(upper),
      })),
    ),
    notes: all.flatMap(({ metric, by, points, reason }) => {
      if (reason === undefined) return [];
      const result = points.length === 0 ? 'no forecast' : 'a simple forecast';
      return [`${[...Object.values(by), metric].join(', ')}: ${result}, ${reason}.`];
    }),
  };
}

async function anomalyRows({ columns, records, anomaly }: TabularAnswer): Promise<RenderedAnswer> {
  const { isAnomalySummary } = await import('../launcher-offline.ts');
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  const metrics = columns.filter(({ type }) => type === 'metric');
  const rows = records.flatMap((record) =>
    metrics.flatMap(({ key, label }) => {
      const cell = record[key];
      if (!isCell(cell) || cell.anomaly === undefined) return [];
      const { score, expected, direction } = cell.anomaly;
      return [
        {
          ...Object.fromEntries(dimensions.map((each) => [each.label, record[each.key]])),
          metric: label,
          value: cell.formatted ?? cell.value,
          expected: rounded(expected),
          score: score.toFixed(1),
          direction,
        },
      ];
    }),
  );
  const notes = isAnomalySummary(anomaly)
    ? [
        `${anomaly.anomalyCount} of ${records.length} rows × ${metrics.length} metrics; method ${anomaly.method}, threshold ${anomaly.threshold}.`,
      ]
    : [];
  return { rows, notes };
}

function isCell(cell: AnswerRecord[string] | undefined): cell is Extract<AnswerRecord[string], { value: unknown }> {
  return typeof cell === 'object' && cell !== null;
}

/** Rounds to six significant digits, because estimates are not more precise. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
