/**
 * Tests that dates in text or number columns become time axes of the cube and the semantic model. Figures are computed
 * by hand.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { NO_JOBS } from '../../../router/testing/no-jobs.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runMdx } from '../../cube/index.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { type Semantic, semantic, writeOsi } from '../../semantic/index.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { CubeProposal } from '../proposal/schema.ts';
import { rendered } from '../render/cube-xml.ts';
import { proposeByRules } from '../rules/propose-by-rules.ts';
import { InferenceWork } from '../work/work.ts';
import { renderSemanticModels } from './semantic-models.ts';

await loadSqlLibrary();

const TENANT = 'default' as TenantId;
/** Days with amounts that are powers of two, so that a sum identifies its rows. The last three are not dates. */
const DAYS = ['2023-01-05', '2023-12-31', '2024-01-31', '2024-02-13', '2024-02-29', '2024-03-01'] as const;
const NO_DAYS = ['2023-02-29', undefined, 'none'] as const;
const TOTAL = 2 ** 9 - 1;
/** The amounts of the three. */
const UNDATED = 64 + 128 + 256;
const BY_YEAR = { 2023: 1 + 2, 2024: 4 + 8 + 16 + 32 };
const BY_MONTH = { '2023-01-01': 1, '2023-12-01': 2, '2024-01-01': 4, '2024-02-01': 8 + 16, '2024-03-01': 32 };

const FORMS = {
  iso_text: 'YYYY-MM-DD',
  stamp_text: 'YYYY-MM-DD',
  german_text: 'DD.MM.YYYY',
  short_text: 'DD.MM.YYYY',
  us_text: 'MM/DD/YYYY',
  uk_text: 'DD/MM/YYYY',
  dash_text: 'DD-MM-YYYY',
  digits_text: 'YYYYMMDD',
  ordered_day: 'YYYYMMDD',
  ordered_month: 'YYYYMM',
} as const;
type WrittenColumn = keyof typeof FORMS;
const COLUMNS = Object.keys(FORMS).filter((name): name is WrittenColumn => name in FORMS);

function written(column: WrittenColumn, day: string | undefined): string {
  if (day === undefined) return 'NULL';
  if (day === 'none') return column.startsWith('ordered') ? '0' : "'none'";
  const [year = '', month = '', date = ''] = day.split('-');
  const text = {
    iso_text: day,
    stamp_text: `${day}T23:59:58`,
    german_text: `${date}.${month}.${year}`,
    short_text: `${Number(date)}.${Number(month)}.${year} 10:30`,
    us_text: `${month}/${date}/${year}`,
    uk_text: `${date}/${month}/${year}`,
    dash_text: `${date}-${month}-${year}`,
    digits_text: `${year}${month}${date}`,
  };
  if (column === 'ordered_day') return `${year}${month}${date}`;
  // An invalid month cannot be computed from a day, so it represents an unknown month.
  if (column === 'ordered_month') return day === '2023-02-29' ? '0' : `${year}${month}`;
  return `'${text[column]}'`;
}

const SET_UP = [
  `CREATE TABLE orders (id INTEGER NOT NULL, amount DECIMAL(10,2), ${COLUMNS.map((name) => `${name} ${name.startsWith('ordered') ? 'INTEGER' : 'VARCHAR(30)'}`).join(', ')})`,
  `INSERT INTO orders VALUES ${[...DAYS, ...NO_DAYS]
    .map((day, index) => `(${index}, ${2 ** index}, ${COLUMNS.map((column) => written(column, day)).join(', ')})`)
    .join(', ')}`,
];

describeEngines(
  'dates as texts and numbers on $engine',
  (engine) => {
    let started: TestWarehouse;
    let surface: Semantic;
    let problems: readonly object[];
    let proposal: CubeProposal;
    let schemaText: string;
    let title: string;
    beforeAll(async () => {
      started = await startWarehouse(engine, SET_UP, { poolSize: 2 });
      const profile = await profileSchema({
        warehouse: started.warehouse,
        schema: undefined,
        maxTables: 50,
        tableTypes: ['TABLE'],
        clock: Date.now,
        log: silentLog,
        work: new InferenceWork(undefined),
      });
      proposal = proposeByRules(profile, { schemaName: 'shop', factTable: { name: 'orders' } });
      const { schemaXml, validation } = rendered(proposal);
      expect(validation.warnings).toEqual([]);
      schemaText = schemaXml;
      const [model] = renderSemanticModels(proposal, 'shop.xml');
      if (model === undefined) throw new Error('no model');
      title = model.name;
      surface = semantic({
        warehouses: started.warehouses,
        cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
        jobs: NO_JOBS,
        log: silentLog,
        clock: Date.now,
        settings: { maxRows: 10_000, cacheTtlMs: 0, samplesTtlMs: 300_000, kAnonymity: { threshold: 0, mask: null } },
      });
      const datasource = {
        id: 'test',
        name: 'test',
        type: 'SEMANTIC',
        documentPath: 'model.yaml',
        schema: undefined,
        enabled: true,
        warehouse: started.address,
      } as const;
      problems = await surface.loaderOf(TENANT).load(datasource, writeOsi(model));
      await surface.ready();
    });
    afterAll(async () => {
      await started?.stop();
    });

    const dimensionOf = (column: WrittenColumn) => {
      const dimension = proposal.cubes[0]?.dimensions.find(({ levels: [level] }) => level?.column === column);
      if (dimension === undefined) throw new Error(`no dimension of ${column}`);
      return dimension;
    };

    it('the proposal reports how each is read', () => {
      for (const column of COLUMNS) {
        const { levels, reason } = dimensionOf(column);
        expect(levels.map(({ datePart }) => datePart)).toEqual(
          column === 'ordered_month' ? ['year', 'quarter', 'month'] : ['year', 'quarter', 'month', 'day'],
        );
        const kind = column === 'ordered_month' ? 'months' : 'dates';
        const how = column.startsWith('ordered') ? 'numbers' : 'texts';
        expect(reason).toContain(`${column} has ${kind} as ${how}, ${FORMS[column]}. The cube reads them as dates`);
        expect(proposal.cubes[0]?.notes).toContain(reason);
      }
    });

    it.each(COLUMNS)('%s: years, quarters and months of the cube add up to the total', async (column) => {
      const { name, levels } = dimensionOf(column);
      const of = async (level: string): Promise<Record<string, number>> => {
        const outcome = await runMdx({
          mdx: `select {[Measures].[Amount]} on 0, [${name}].[${level}].Members on 1 from [Orders]`,
          schemaText,
          warehouse: async () => started.warehouse,
          roles: undefined,
          maxRows: 1_000,
          signal: undefined,
        });
        if (!('cells' in outcome)) throw new Error('no cells');
        const { axes, cells } = outcome.cells;
        return Object.fromEntries(
          (axes[1]?.tuples ?? []).map((tuple, index) => [tuple[0]?.caption, Number(cells[index]?.value ?? 0)]),
        );
      };
      const amounts = new Map<string, Record<string, number>>();
      // Trino gets the years, and the months, which are the last of some columns: quarters and days are made of the same date.
      const asked =
        engine === 'trino' ? levels.filter(({ datePart }) => datePart === 'year' || datePart === 'month') : levels;
      for (const { name: level } of asked) amounts.set(level, await of(level));
      const years = amounts.get('Year') ?? {};
      expect(years).toEqual({ ...BY_YEAR, [Object.keys(years).find((key) => !/^\d{4}$/.test(key)) ?? '']: UNDATED });
      expect(amounts.get('Month')).toMatchObject({
        '2023-01': 1,
        '2023-12': 2,
        '2024-01': 4,
        '2024-02': 24,
        '2024-03': 32,
      });
      if (engine !== 'trino')
        expect(amounts.get('Quarter')).toMatchObject({ '2023-Q1': 1, '2023-Q4': 2, '2024-Q1': 60 });
      for (const each of amounts.values())
        expect(Object.values(each).reduce((sum, value) => sum + value, 0)).toBe(TOTAL);
    });

    it.each(COLUMNS)('%s: months of the model, with the rows without a date, add up to the total', async (column) => {
      expect(problems).toEqual([]);
      const request = {
        connection: 'test',
        model: title,
        rows: [{ dataset: 'orders', field: `${column}_as_date`, grain: 'month' }],
        values: [{ metric: 'amount' }],
      };
      const { columns, records } = await surface.source
        .prepare(request)
        .run({ tenant: TENANT, user: 'ann', roles: ['ROLE_USER'] }, {});
      const rows = records.map((record) =>
        columns.map(({ key }) => {
          const cell = record[key];
          return typeof cell === 'object' && cell !== null ? cell.value : cell;
        }),
      );
      const amounts = Object.fromEntries(rows.map(([month, amount]) => [String(month).slice(0, 10), Number(amount)]));
      expect(amounts).toEqual({ ...BY_MONTH, null: UNDATED });
    });
  },
  { timeout: 120_000 },
);
