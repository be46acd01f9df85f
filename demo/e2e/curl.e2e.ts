/** Runs the first curl command of each documentation page unchanged. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

test('pages of calls have one', () => {
  expect(EXAMPLES.map(({ page }) => page)).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guide/agents.md',
      'docs/reference/inference.md',
      'docs/guide/semantic-queries.md',
    ]),
  );
});

test.each(EXAMPLES)(
  'the first curl of $page works unchanged',
  ({ page, code }) => {
    const script = code
      .replaceAll('http://localhost:8080', product.url)
      // curl prompts a reader for the password.
      .replace('-u admin ', '-u "admin:$SERVICE_ADMIN_PASSWORD" ')
      .replace(/^curl /m, 'curl --silent --show-error --fail-with-body --max-time 30 ');
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', script], {
      env: { ...process.env, SERVICE_HOME: product.home, SERVICE_ADMIN_PASSWORD: product.password },
      encoding: 'utf8',
      timeout: 240_000,
    });
    const refusal = UNCONFIGURED[page];
    if (refusal === undefined)
      expect({ status, stderr, isJson: /^[[{]/.test(stdout) }).toMatchObject({ status: 0, isJson: true });
    else expect(stdout).toContain(refusal);
  },
  90_000,
);
