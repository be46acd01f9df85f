/** The explorer with many things: a model of 10,000 fields and a level of a million members, in a browser. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Page } from 'playwright';
import { openBrowser, openPage } from '../demo/e2e/browser.ts';
import { signIn } from '../demo/e2e/sign-in.ts';
import { head, median, row } from './print.ts';
import { ADMIN_PASSWORD, answered, inHome, startService } from './processes.ts';

const PORT = 28_511;
const RUNS = 5;
const DATASETS = 100;
const FIELDS = 100;
const MEMBERS = 1_000_000;
const WAIT_MS = 20_000;

const two = (number: number) => String(number).padStart(2, '0');
const each = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const expression = (text: string) => `expression: [{ dialect: ANSI_SQL, expression: ${text} }]`;

const TABLES = [
  `CREATE TABLE wide AS SELECT i AS id, ${each(FIELDS, (at) => `'value ' || (i % ${at + 2}) AS c_${two(at)}`).join(', ')} FROM range(1000) t(i)`,
  'CREATE TABLE fact AS SELECT i AS id, i % 1000 AS key, (i % 97)::INTEGER AS amount FROM range(100000) t(i)',
  `CREATE TABLE customer AS SELECT i AS id, 'Customer ' || lpad(i::VARCHAR, 7, '0') AS name FROM range(${MEMBERS}) t(i)`,
  `CREATE TABLE bought AS SELECT i AS customer, (i % 97)::INTEGER AS amount FROM range(${MEMBERS}) t(i)`,
];

const MODEL = `semantic_model:
  - name: wide
    datasets:
      - { name: fact, source: fact, primary_key: [id], fields: [{ name: id, ${expression('id')} }] }
${each(DATASETS, (set) => {
  const fields = each(
    FIELDS,
    (at) => `{ name: f_${two(at)}, label: Field ${two(at)} of ${two(set)}, ${expression(`c_${two(at)}`)} }`,
  );
  return `      - { name: d_${two(set)}, source: wide, primary_key: [id], fields: [${fields.join(', ')}] }`;
}).join('\n')}
    relationships:
${each(DATASETS, (set) => `      - { name: r_${two(set)}, from: fact, to: d_${two(set)}, from_columns: [key], to_columns: [id] }`).join('\n')}
    metrics:
      - { name: amount, label: Amount, ${expression('SUM(fact.amount)')} }
`;

const CUBE = `<Schema name="Large"><Cube name="Bought"><Table name="bought"/>
  <Dimension name="Customer" foreignKey="customer"><Hierarchy hasAll="true" primaryKey="id"><Table name="customer"/>
    <Level name="Customer" column="id" type="Numeric" nameColumn="name" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum"/></Cube></Schema>`;

/** What is typed to find members. The server remembers what it found. */
const TYPED = ['0471234', '0583917'] as const;

const descriptor = (name: string, kind: string) =>
  `<dataSource><id>${name}</id><name>${name}</name>${kind}<location>jdbc:duckdb:data/large.duckdb</location><enabled>true</enabled></dataSource>`;

export async function explorerPart(): Promise<void> {
  await inHome(async (home) => {
    await stageData(home);
    const service = startService(home, PORT, { isDemo: false });
    const browser = await openBrowser();
    try {
      await answered(`${service.url}/readyz`);
      const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
      await page.goto(`${service.url}/ui/`);
      await signIn(page, { password: ADMIN_PASSWORD });
      head('explorer', 'median', 'longest');
      await measureFields(page, `${service.url}/ui/explore/wide/wide`);
      await measureMembers(page, `${service.url}/ui/explore/large/Large/Large/Bought`);
      report('the same searches, SQL alone', await searchTimes());
    } finally {
      await browser.close();
      await service.stop();
    }
  });
}

async function stageData(home: string): Promise<void> {
  const [data, datasources] = [join(home, 'data'), join(home, 'datasources')];
  for (const folder of [data, datasources]) mkdirSync(folder, { recursive: true });
  const instance = await DuckDBInstance.create(join(data, 'large.duckdb'));
  const connection = await instance.connect();
  for (const table of TABLES) await connection.run(table);
  connection.closeSync();
  instance.closeSync();
  writeFileSync(join(datasources, 'wide.yaml'), MODEL);
  writeFileSync(join(datasources, 'large.xml'), CUBE);
  writeFileSync(
    join(datasources, 'wide.sds'),
    descriptor('wide', '<type>SEMANTIC</type><semanticYaml>wide.yaml</semanticYaml>'),
  );
  writeFileSync(
    join(datasources, 'large.sds'),
    descriptor('large', '<type>OLAP</type><cubeSchema>large.xml</cubeSchema>'),
  );
}

async function measureFields(page: Page, address: string): Promise<void> {
  await measureOpening(page, address, `a model of ${(DATASETS * FIELDS).toLocaleString('en')} fields`);
  const tree = page.getByLabel('Search fields and metrics');
  await tree.focus();
  report(
    'a key in the search of the fields',
    await measureKeys(page, 'of 42 7', (typed) => {
      return `[...all('ui-field-tree .thing .label')].length > 0 && [...all('ui-field-tree .thing .label')].every((label) => ${JSON.stringify(typed.split(' '))}.every((word) => label.textContent.toLowerCase().includes(word)))`;
    }),
  );
  report('Enter adds the field', [
    await measureKey(page, 'Enter', `all('ui-shelf-list [data-shelf=rows] .chip').length > 0`),
  ]);
  await page.getByRole('button', { name: 'Add to Where' }).click();
  await page.locator('ui-chip-panel').getByLabel('Search', { exact: true }).focus();
  report(
    'a key in the search of a list',
    await measureKeys(page, 'of 17 3', (typed) => {
      return `[...all('ui-chip-panel .found button')].every((each) => ${JSON.stringify(typed.split(' '))}.every((word) => each.textContent.toLowerCase().includes(word)))`;
    }),
  );
}

async function measureMembers(page: Page, address: string): Promise<void> {
  await measureOpening(page, address, 'a cube with a level of 1,000,000 members');
  await page.getByRole('tree').focus();
  await page
    .getByRole('treeitem', { name: /^Customer/ })
    .last()
    .hover();
  const members = page.getByRole('button', { name: 'Members of Customer' });
  const opened = await measure(page, 'click', () => members.click(), `all('ui-field-tree .member').length > 10`);
  report('the first members of the level', [opened]);
  await page.getByRole('button', { name: 'Add to Where' }).click();
  await page.locator('ui-chip-panel').getByLabel('Search', { exact: true }).fill('customer');
  await page.keyboard.press('Enter');
  const search = page.getByLabel('Search values');
  await search.waitFor();
  await page.locator('ui-filter-panel .value').first().waitFor();
  await search.focus();
  const fits = (typed: string) =>
    `all('ui-filter-panel .value').length > 0 && [...all('ui-filter-panel .value')].every((each) => each.textContent.includes(${JSON.stringify(typed)}))`;
  report('a key in the search of the members', await measureKeys(page, TYPED[0], fits));
  await search.fill('');
  await page.locator('ui-filter-panel').getByText('Customer 0000000', { exact: true }).waitFor();
  report(
    'the same, until the search of the server is answered',
    await measureKeys(page, TYPED[1], (typed) => {
      return `deep('ui-filter-panel [role=group]').ariaBusy === 'false' && ${fits(typed)}`;
    }),
  );
}

/** Measures the searches of the members as statements, in this process. */
async function searchTimes(): Promise<readonly number[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  for (const table of TABLES.filter((each) => each.includes('customer AS SELECT'))) await connection.run(table);
  const times: number[] = [];
  for (const at of [...TYPED[1]].keys()) {
    const begun = performance.now();
    await connection.runAndReadAll(
      `SELECT id, name FROM customer WHERE contains(lower(name), '${TYPED[1].slice(0, at + 1)}') GROUP BY id, name ORDER BY name LIMIT 50`,
    );
    times.push(performance.now() - begun);
  }
  connection.closeSync();
  instance.closeSync();
  return times;
}

/** Measures from the start of a navigation to the first paint, and to the things in the tree. */
async function measureOpening(page: Page, address: string, what: string): Promise<void> {
  const paints: number[] = [];
  const trees: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    await page.goto('about:blank');
    await page.goto(address, { waitUntil: 'commit' });
    const shown = Number(await page.evaluate(script(`const since = 0;`, `all('ui-field-tree .thing').length > 0`)));
    const painted = Number(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    // The first run fills the caches of the browser and the server.
    if (run === 0) report(`${what}: first opening, to its things`, [shown]);
    else {
      paints.push(painted);
      trees.push(shown);
    }
  }
  report(`${what}: first paint`, paints);
  report(`${what}: its things in the tree`, trees);
}

async function measureKeys(
  page: Page,
  text: string,
  isAnswered: (typed: string) => string,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const [at, key] of [...text].entries()) {
    const typed = text.slice(0, at + 1).trim();
    times.push(await measureKey(page, key === ' ' ? 'Space' : key, isAnswered(typed)));
  }
  return times;
}

async function measureKey(page: Page, key: string, isAnswered: string): Promise<number> {
  return measure(page, 'keydown', () => page.keyboard.press(key), isAnswered);
}

/** Measures from the first event of an act until a condition holds and is painted. */
async function measure(page: Page, event: string, act: () => Promise<void>, condition: string): Promise<number> {
  const since = `const since = await new Promise((resolve) => addEventListener('${event}', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true }));`;
  // The page listens before the act begins: an event before the listener would be waited for without end.
  await page.evaluate(`globalThis.measured = ${script(since, condition)}; undefined`);
  await act();
  return Number(await page.evaluate('globalThis.measured'));
}

/** Returns a script that looks at the page before each frame. `deep` and `all` look into shadow trees; `all` takes a tag and a selector in its tree. */
function script(since: string, condition: string): string {
  return `(async () => {
    const deep = (selector, root = document) => {
      const [tag, ...inner] = selector.split(' ');
      const find = (from) => from.querySelector(tag) ?? [...from.querySelectorAll('*')].reduce((found, each) => found ?? (each.shadowRoot && find(each.shadowRoot)), null);
      const host = find(root);
      return inner.length === 0 ? host : (host?.shadowRoot?.querySelector(inner.join(' ')) ?? null);
    };
    const all = (selector) => {
      const [tag, ...inner] = selector.split(' ');
      return deep(tag)?.shadowRoot?.querySelectorAll(inner.join(' ')) ?? [];
    };
    ${since}
    do {
      await new Promise(requestAnimationFrame);
      if (performance.now() - since > ${WAIT_MS}) throw new Error(${JSON.stringify(`not answered: ${condition}`)});
    } while (!(${condition}));
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - since;
  })()`;
}

function report(what: string, times: readonly number[]): void {
  row(what, `${median(times).toFixed(0)} ms`, `${Math.max(...times).toFixed(0)} ms`);
}
