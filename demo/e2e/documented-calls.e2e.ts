/** Runs the first curl of each page, the import of a CSV file, the Python quick start and the typed client as they are documented. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { serviceClient } from '../../server/client.ts';
import { type Product, startProduct } from './product.ts';

const PAGES = [
  'README.md',
  ...['start', 'guide', 'reference'].flatMap((folder) =>
    readdirSync(`docs/${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${folder}/${name}`),
  ),
];
/** Pages whose first call needs a foreign service: the answer reports that, like the page. */
const UNCONFIGURED: Readonly<Record<string, string>> = {
  'docs/guide/natural-language.md': 'ASK_NOT_CONFIGURED',
  'docs/guide/billing.md': 'billing_disabled',
};

/** Returns the command that a reader copies: the first block with a curl, up to the end of that command. */
function firstCurl(page: string): string | undefined {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const code = blocks.find((block) => /^curl /m.test(block));
  return code === undefined
    ? undefined
    : /^([\s\S]*?^curl (?:.*\\\n|[^\n]*'[^']*\n[^']*'.*\\\n)*.*\n)/m.exec(code)?.[1];
}

const EXAMPLES = PAGES.flatMap((page) => {
  const code = firstCurl(page);
  return code === undefined ? [] : [{ page, code }];
});

/** The file that the pages import. Its figures below are added up by hand from its lines. */
const ORDERS = 'docs/examples/start/orders.csv';

const PYTHON_MISSING =
  spawnSync('python3', ['-c', 'import requests'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'Python 3 with the package requests';

let product: Product;
let apiKey: string;
beforeAll(async () => {
  product = await startProduct();
  apiKey = runCommand('api-key', 'create', '--label', 'documentation').trim();
  runCommand('import', ORDERS);
  await vi.waitFor(
    async () => {
      const { body } = await product.call('GET', '/rest/service/api/ai/semantic/models');
      expect(JSON.stringify(body)).toContain('orders-model');
    },
    { timeout: 120_000, interval: 200 },
  );
});
afterAll(() => product?.stop());

test('pages about calls have a curl', () => {
  expect(EXAMPLES.map(({ page }) => page)).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guide/agents.md',
      'docs/reference/inference.md',
      'docs/guide/semantic-queries.md',
    ]),
  );
});

test.each(EXAMPLES)('the first curl of $page works unchanged', ({ page, code }) => {
  const folder = mkdtempSync(join(tmpdir(), 'service-documented-'));
  const [, file] = /^curl .*-o (\S+)/m.exec(code) ?? [];
  const script = code
    .replaceAll('http://localhost:8080', product.url)
    .replace(/^(curl .*-o )/m, `$1${folder}/`)
    // curl prompts a reader for the password.
    .replace('-u admin ', '-u "admin:$SERVICE_ADMIN_PASSWORD" ')
    .replace(/^curl /m, 'curl --silent --show-error --fail-with-body --max-time 30 ');
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', script], {
    env: { ...process.env, SERVICE_HOME: product.home, SERVICE_ADMIN_PASSWORD: product.password },
    encoding: 'utf8',
    timeout: 240_000,
  });
  const answer = file === undefined || status !== 0 ? stdout : readFileSync(join(folder, file), 'latin1');
  rmSync(folder, { recursive: true });
  const begin = file?.endsWith('.pdf') ? /^%PDF-1/ : /^[[{]/;
  const refusal = UNCONFIGURED[page];
  if (refusal === undefined)
    expect({ status, stderr, isComplete: begin.test(answer) }).toMatchObject({ status: 0, isComplete: true });
  else expect(answer).toContain(refusal);
});

test('the imported file answers the question of "The first ten minutes"', async () => {
  const service = serviceClient({ url: product.url, apiKey });
  const answer = await service.semantic.query.mutate(
    JSON.parse(readFileSync('docs/examples/start/question.json', 'utf8')),
  );
  const amounts = amountsByQuarter(['Germany', 'France']);
  const records = 'records' in answer ? answer.records : [];
  expect(records.map((record) => [record['orders.ordered_on.quarter'], record.amount])).toMatchObject(
    ['01', '04', '07', '10'].map((month, quarter) => [`2025-${month}-01`, { value: amounts[quarter] }]),
  );
});

/** Adds up the amounts of the file by quarter, for some countries. */
function amountsByQuarter(countries: readonly string[]): readonly number[] {
  const cents = [0, 0, 0, 0];
  for (const line of readFileSync(ORDERS, 'utf8').trim().split('\n').slice(1)) {
    const [, date = '', country = '', , , , , amount] = line.split(',');
    const quarter = Math.floor((Number(date.slice(5, 7)) - 1) / 3);
    if (countries.includes(country)) cents[quarter] = (cents[quarter] ?? 0) + Math.round(100 * Number(amount));
  }
  return cents.map((each) => each / 100);
}

/** Lists the lines of output that the Python quick start shows. */
const REGIONS = readFileSync('docs/start/python.md', 'utf8').match(/^(Central|West|North|South) .*$/gm) ?? [];

test.skipIf(PYTHON_MISSING !== undefined)(
  titleNeeding('the Python quick start prints what its page shows', PYTHON_MISSING),
  () => {
    const printed = runProgram('python3', ['docs/examples/python/quick_start.py']);
    expect(REGIONS).toHaveLength(4);
    expect(printed.trim().split('\n')).toEqual(['rows[0].field -> region', ...REGIONS]);
  },
);

test('the typed client prints the same regions', () => {
  const printed = runProgram(process.execPath, ['--import', 'tsx', 'docs/examples/client/quick-start.ts']);
  expect(printed.match(/^\w+/gm)).toEqual(REGIONS.map((line) => line.split(' ')[0]));
});

/** Runs a command of the product on the home of the running server, and returns what it prints. */
function runCommand(...args: readonly string[]): string {
  return runProgram(process.execPath, ['dist/service.js', ...args, '--home', product.home]);
}

function runProgram(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: { ...process.env, SERVICE_URL: product.url, API_KEY: apiKey },
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}
