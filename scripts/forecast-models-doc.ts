/**
 * Writes the table of models in `docs/guide/forecasts-and-anomalies.md`.
 *
 *   npx tsx scripts/forecast-models-doc.ts           writes it
 *   npx tsx scripts/forecast-models-doc.ts --check   fails when it is out of date
 */
import { readFileSync } from 'node:fs';
import { FORECAST_METHODS, FORECAST_MODELS } from '../plugins/analytics/index.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/guide/forecasts-and-anomalies.md';
const METHOD_COUNT = Object.keys(FORECAST_METHODS).length;
const rows = Object.entries(FORECAST_MODELS).map(([name, { methods, source, applies }]) => {
  const of = methods.length === METHOD_COUNT ? 'all' : methods.map((method) => `\`${method}\``).join(', ');
  return `| \`${name}\` | ${of} | ${applies} | ${source} |`;
});
const table = ['', '', '| Model | Method | Series | Source |', '|---|---|---|---|', ...rows, '', ''].join('\n');
const [before = '', rest = ''] = readFileSync(FILE, 'utf8').split(/(?<=<!-- models: .*-->)\n/);
const after = rest.slice(rest.indexOf('<!-- end of models -->'));
writeOrCheck(FILE, `${before}${table}${after}`, 'npx tsx scripts/forecast-models-doc.ts');
