/** A home with one imported database. Its connections answer like saved queries, without suppression of small groups. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { warehousesOf } from '../../installation/existing-home.ts';
import { setUp } from '../../installation/setup.ts';
import { importInto } from '../../launcher-import.ts';
import { ask, connections } from '../../launcher-offline.ts';
import { openWarehouses } from '../../warehouse/index.ts';
import { writeDuckdb } from '../../warehouse/testing/engines.ts';
import type { Imported } from '../report.ts';

type Records = readonly Readonly<Record<string, unknown>>[];

export interface ImportedHome {
  readonly outcome: Imported;
  readonly address: { readonly jdbcUrl: string };
  readonly openWarehouses: () => ReturnType<typeof openWarehouses>;
  recordsOf(connection: string, request: unknown): Promise<Records>;
  /** Returns the text of a document of the repository. */
  document(path: string): string;
  remove(): void;
}

/** Makes a database from statements for DuckDB and imports it as `name`. */
export async function importedHome(name: string, statements: readonly string[]): Promise<ImportedHome> {
  process.env.SERVICE_LOG_LEVEL = 'silent';
  const folder = mkdtempSync(join(tmpdir(), 'service-imported-'));
  const setup = setUp(join(folder, 'home'));
  const path = join(folder, `${name}.duckdb`);
  await writeDuckdb(path, statements);
  const request = {
    tenant: 'default',
    files: [path],
    name,
    schema: undefined,
    username: undefined,
    password: undefined,
  };
  const outcome = await importInto(setup, { ...request, onProgress: () => undefined });
  if ('refused' in outcome) throw new Error(outcome.refused);
  return {
    outcome,
    address: { jdbcUrl: `jdbc:duckdb:${path}` },
    openWarehouses: () => openWarehouses(warehousesOf(setup)),
    document: (file) => readFileSync(join(setup.home.repository, file), 'utf8'),
    async recordsOf(connection, query) {
      const warehouses = openWarehouses(warehousesOf(setup));
      try {
        const all = await connections(setup.home.datasources, warehouses.supported);
        const datasource = all.find((each) => each.name === connection)?.datasource;
        if (datasource === undefined) throw new Error(`There is no ${connection}.`);
        const scope = { tenant: 'default' as TenantId, user: 'test', roles: ['ROLE_ADMIN'] };
        const unmasked = { ...setup, config: { ...setup.config, 'ai.kAnonymity': 0, 'service.ai.kAnonymity.k': 0 } };
        return (await ask({ request: query, datasource, warehouses, scope, setup: unmasked })).records;
      } finally {
        await warehouses.close();
      }
    },
    remove() {
      delete process.env.SERVICE_LOG_LEVEL;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns the number of a cell, also of a cell with a formatted text. */
export function numberOf(cell: unknown): number {
  return Number(typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell);
}
