import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { openBrowser, openPage } from './e2e/browser.ts';
import { type Product, startProduct } from './e2e/product.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, to: { type: 'string' } },
});

if (values.help) {
  process.stdout.write(`Takes the pictures of docs/page-gallery: the pages with the demo, at three widths, light and dark.
Build the product first: npm run build.

  npx tsx demo/page-gallery.ts [SCENE…] [--to FOLDER]

SCENE        takes only these pictures, such as: data model explore
--to FOLDER  writes into another folder, for a first look
`);
  process.exit(0);
}

const THEMES = ['light', 'dark'] as const;
/** A phone, a laptop, a wide screen. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;

interface Scene {
  readonly name: string;
  readonly shows: string;
  /** Opens the page and brings it to the state of the picture. */
  readonly open: (page: Page) => Promise<void>;
  /** Whether nobody is signed in. */
  readonly isSignedOut?: true;
  /** Whether the installation has nothing yet. */
  readonly isEmpty?: true;
  /** Whether its widths are one small picture, beside each other. */
  readonly isSheet?: true;
}

const folder = mkdtempSync(join(tmpdir(), 'service-page-gallery-'));
/** Orders as people have them: a unit in some cells, a word for a missing value, short years, a line that ends early. */
const ORDERS = [
  'Auftragsnr;Kundennr;Datum;Betrag;Kanal',
  ...Array.from({ length: 240 }, (_, at) => {
    const [day, month] = [(at % 28) + 1, (at % 12) + 1].map((part) => String(part).padStart(2, '0'));
    const amount = at % 60 === 7 ? 'k.A.' : `${10 + (at % 20)},50${at % 10 === 0 ? ' €' : ''}`;
    const channel = at === 111 ? '' : `;${['Web', 'Laden', 'Telefon'][at % 3]}`;
    return `${5_000 + at};${at % 40 === 5 ? '' : 1_000 + (at % 30)};${day}.${month}.${at % 50 === 3 ? '24' : '2024'};${amount}${channel}`;
  }),
].join('\n');
/** Customers, two of them twice. */
const CUSTOMERS = [
  'Kundennr;Ort;Nachname',
  ...Array.from({ length: 32 }, (_, at) => `${1_000 + (at % 30)};${['Ulm', 'Köln', 'Bonn'][at % 3]};Muster ${at}`),
].join('\n');
const files = { 'auftraege.csv': ORDERS, 'kunden.csv': CUSTOMERS };
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
const paths = Object.keys(files).map((name) => join(folder, name));

const withDemo = await startProduct();
/** The installation of the present scene. */
let product = withDemo;
const browser = await openBrowser();

async function dropFiles(page: Page): Promise<void> {
  await page.goto(`${product.url}/ui/add-data/`);
  await page.locator('input[type=file]').setInputFiles(paths);
  await page.getByRole('heading', { name: 'Suggested model' }).waitFor();
  await page.getByText('The results are up to date.').waitFor({ state: 'attached' });
}

/** Publishes the two files, so that the page Data has something of every kind. */
async function publish(page: Page): Promise<void> {
  await dropFiles(page);
  for (const repair of ['Treat these values as empty', 'Keep the first row of each Kundennr']) {
    await page.locator('ui-losses').getByRole('button', { name: repair }).first().click();
    await page.getByText('Reading the files again').waitFor({ state: 'detached' });
  }
  await page.locator('ui-publish input[name=name]').fill('handel');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('link', { name: 'Open the dashboard' }).waitFor();
}

async function openData(page: Page): Promise<void> {
  await page.goto(`${product.url}/ui/data/`);
  await page.getByRole('link', { name: 'handel-model' }).waitFor();
}

async function openModel(page: Page, part: string, shown: string): Promise<void> {
  await page.goto(`${product.url}/ui/data/demo${part}`);
  await page.getByText(shown).first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** A scene of a page as it opens, once a text of it is shown and nothing is read any more. */
const sheet = (name: string, shows: string, address: string, shown: string): Scene => ({
  name,
  shows,
  isSheet: true,
  async open(page) {
    await page.goto(`${product.url}/ui/${address}`);
    await page.getByText(shown).first().waitFor();
    await page.waitForLoadState('networkidle');
  },
});
const DEMO = 'documents/shared/demo';

const SCENES: readonly Scene[] = [
  {
    name: 'add-data',
    shows: 'Two files with losses, each with its repairs',
    async open(page) {
      await dropFiles(page);
      await page.getByRole('heading', { name: 'Check these first' }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'data', shows: 'Models, connections and uploads', open: openData },
  {
    name: 'data-comparison',
    shows: 'New files beside the present data, before they take its place',
    async open(page) {
      await openData(page);
      await page.getByRole('button', { name: 'Actions of handel-model' }).click();
      await page.getByRole('menuitem', { name: 'Replace data…' }).click();
      await page.locator('ui-replace-dialog input[type=file]').setInputFiles(paths);
      await page.getByText('The new files fit the model.').waitFor();
    },
  },
  { name: 'model', shows: 'A model: its datasets and how they join', open: (page) => openModel(page, '', 'Problems') },
  {
    name: 'model-fields',
    shows: 'The fields of a dataset',
    open: (page) => openModel(page, '/datasets/stores', 'region'),
  },
  {
    name: 'model-metric',
    shows: 'A metric with its formula and its value',
    open: (page) => openModel(page, '/metrics/margin_rate', 'Today'),
  },
  {
    name: 'data-connection',
    shows: 'The form of a connection, with a mistake at its field',
    isSheet: true,
    async open(page) {
      await openData(page);
      await page.getByRole('button', { name: 'Add a connection' }).click();
      const dialog = page.locator('ui-connection-dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Warehouse');
      await dialog.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1');
      // Nothing listens there.
      await dialog.getByRole('textbox', { name: 'Port' }).fill('9');
      await dialog.getByLabel('Database', { exact: true }).fill('shop');
      await dialog.getByRole('button', { name: 'Test' }).click();
      await dialog.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'model-review',
    shows: 'Changes of a model before they are saved: what differs, and what breaks',
    isSheet: true,
    async open(page) {
      await openModel(page, '/datasets/stores', 'region');
      const cells = page.getByRole('row', { name: /^region/ }).getByRole('gridcell');
      await cells.first().dblclick();
      const input = page.getByRole('textbox', { name: 'Label of region' });
      await input.fill('Sales region');
      await input.press('Enter');
      await page.getByRole('button', { name: 'Review and save 1 change' }).click();
      await page.getByRole('dialog').getByText('Nothing breaks').waitFor();
    },
  },
  { ...sheet('home-empty', 'Home, where nothing is yet', '', 'Add data'), isEmpty: true },
  { ...sheet('data-empty', 'Data, where nothing is yet', 'data/', 'Add data'), isEmpty: true },
  sheet('home', 'Home', '', 'What to do next'),
  sheet(
    'explore',
    'A saved query in the explorer',
    'explore/demo/shop?open=shared/demo/sales-by-region.service',
    'Rows',
  ),
  sheet('explore-cube', 'A cube in the explorer, before a question', 'explore/demo-cubes/Shop/Shop/Sales', 'Net Sales'),
  sheet('documents', 'A folder of documents', `${DEMO}/`, 'Sales by region'),
  sheet('query', 'A saved query', `${DEMO}/sales-by-region.service`, 'Edit in explorer'),
  sheet('dashboard', 'A dashboard', `${DEMO}/shop-overview.servicedash`, 'As of'),
  sheet('dashboard-edit', 'A dashboard while it is arranged', `${DEMO}/shop-overview.servicedash?edit`, 'As of'),
  sheet('develop-keys', 'API keys', 'develop/', 'Create key'),
  sheet('develop-tokens', 'Embed tokens', 'develop/tokens/', 'Public documents'),
  sheet('develop-agents', 'Agents', 'develop/agents/', 'Connected agents'),
  sheet('api', 'The API reference', 'api/', 'List the models'),
  sheet('admin-users', 'Users', 'admin/', 'Add a user'),
  sheet('admin-audit', 'The audit log', 'admin/audit/', 'Outcome'),
  sheet('admin-queries', 'Queries', 'admin/queries/', 'Running'),
  sheet('admin-health', 'Health', 'admin/health/', 'This node'),
  sheet('not-found', 'An address without a page', 'nothing-is-here/', 'There is no page at this address'),
  { ...sheet('sign-in', 'Sign in', 'sign-in/', 'User name'), isSignedOut: true },
];

const gallery = fileURLToPath(new URL('../docs/page-gallery', import.meta.url));
const target = values.to ?? gallery;
const scenes = SCENES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (positionals.length === 0 && target === gallery) rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const pictureName = ({ name }: Scene, theme: string, width: number): string => `${name}-${theme}-${width}.png`;
const sheetName = ({ name }: Scene, theme: string): string => `${name}-${theme}.jpg`;
/** The size of the pictures of a sheet, and the quality of their format. */
const SHEET_SCALE = 0.4;
const SHEET_QUALITY = 72;

/** Puts pictures beside each other, made smaller. */
async function beside(pictures: readonly Buffer[], theme: (typeof THEMES)[number]): Promise<Buffer> {
  const gap = 12;
  const widths = SIZES.map(({ width }) => Math.round(width * SHEET_SCALE));
  const width = widths.reduce((sum, each) => sum + each + gap, gap);
  const height = Math.round(Math.max(...SIZES.map((size) => size.height)) * SHEET_SCALE) + 2 * gap;
  const page = await openPage(browser, { viewport: { width, height } });
  const images = pictures.map(
    (each, at) => `<img width="${widths[at] ?? 0}" src="data:image/png;base64,${each.toString('base64')}">`,
  );
  const background = theme === 'light' ? '#c8ccd2' : '#3a4048';
  await page.setContent(
    `<style>body { display: flex; align-items: start; gap: ${gap}px; margin: ${gap}px; background: ${background} }</style>${images.join('')}`,
  );
  const whole = await page.screenshot({ type: 'jpeg', quality: SHEET_QUALITY });
  await page.close();
  return whole;
}

function written(name: string, picture: Buffer): void {
  writeFileSync(join(target, name), picture);
  process.stdout.write(`${name.padEnd(36)} ${(picture.length / 1000).toFixed(1).padStart(6)} KB\n`);
}

/** Opens a page of an installation in which its administrator is signed in. */
async function openSignedIn({ url, password }: Product): Promise<Page> {
  const page = await openPage(browser, { reducedMotion: 'reduce', viewport: SIZES[1] });
  const signedIn = await page.request.post(`${url}/login`, { data: { username: 'admin', password } });
  if (!signedIn.ok()) throw new Error('nobody could be signed in');
  return page;
}

const empty = scenes.some(({ isEmpty }) => isEmpty) ? await startProduct({ args: [] }) : undefined;
try {
  const page = await openSignedIn(withDemo);
  const pageOfEmpty = empty && (await openSignedIn(empty));
  if (scenes.some(({ name }) => name.startsWith('data'))) await publish(page);
  const visitor = await openPage(browser, { reducedMotion: 'reduce', viewport: SIZES[1] });
  for (const scene of scenes) {
    const isEmpty = scene.isEmpty === true && empty !== undefined && pageOfEmpty !== undefined;
    product = isEmpty ? empty : withDemo;
    const shown = isEmpty ? pageOfEmpty : scene.isSignedOut === true ? visitor : page;
    await shown.setViewportSize(SIZES[1]);
    await scene.open(shown);
    for (const theme of THEMES) {
      await shown.evaluate(
        `document.documentElement.dataset.theme = '${theme}'; document.documentElement.classList.toggle('dark-mode', ${theme === 'dark'})`,
      );
      const pictures: Buffer[] = [];
      for (const size of SIZES) {
        await shown.setViewportSize(size);
        // Charts draw themselves again for the new width.
        if (scene.isSheet === true) await shown.waitForTimeout(400);
        const picture = await shown.screenshot();
        if (scene.isSheet === true) pictures.push(picture);
        else written(pictureName(scene, theme, size.width), picture);
      }
      if (scene.isSheet === true) written(sheetName(scene, theme), await beside(pictures, theme));
    }
    await shown.evaluate("document.documentElement.dataset.theme = 'light'");
  }
} finally {
  await browser.close();
  await withDemo.stop();
  await empty?.stop();
  rmSync(folder, { recursive: true, force: true });
}

const cellsOf = (shows: string, nameOf: (theme: string) => string, width: number): string =>
  THEMES.map((theme) => `<img src="./${nameOf(theme)}" alt="${shows}, ${theme}" width="${width}">`).join(' | ');
const rowsOf = (scene: Scene): string =>
  scene.isSheet === true
    ? `| ${scene.shows}, three widths | ${cellsOf(scene.shows, (theme) => sheetName(scene, theme), 400)} |`
    : SIZES.map(({ width }) => {
        const shows = `${scene.shows}, ${width} px`;
        return `| ${shows} | ${cellsOf(shows, (theme) => pictureName(scene, theme, width), Math.min(400, width))} |`;
      }).join('\n');
writeFileSync(
  join(target, 'README.md'),
  `# Pages

The pages of the service with the demo, at the widths of a phone, a laptop and a wide screen.
\`npx tsx demo/page-gallery.ts\` takes the pictures from the built product in Chromium.

| | Light | Dark |
| --- | --- | --- |
${SCENES.map(rowsOf).join('\n')}
`,
);
