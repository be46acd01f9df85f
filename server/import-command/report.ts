import { plural } from '../../router/plural.ts';
import { runningServer, serverUrl } from '../home-directory/running-address.ts';
import { DEFAULT_TENANT } from '../identity/index.ts';
import type { Setup } from '../installation/setup.ts';
import { PAGES } from '../ui/pages.ts';

/** The result of an import. */
export interface Imported {
  readonly name: string;
  /** False where an earlier import's model was kept. */
  readonly isNew: boolean;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly notes: readonly string[] }[];
  readonly cubes: readonly {
    readonly name: string;
    readonly measures: number;
    readonly dimensions: number;
    /** Columns that the cube leaves out, with the reason. */
    readonly notes: readonly string[];
  }[];
  /** Tables that are in no cube. */
  readonly leftOut: readonly { readonly table: string; readonly reason: string }[];
  readonly documents: readonly string[];
  readonly address: string;
  /** The report as lines for people. */
  readonly lines: readonly string[];
}

/** Formats a number with its noun: `1 row`, `2,000 rows`. */
function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${plural(count, noun)}`;
}

/** Adds the dashboard's address and the lines for people to an import's result. */
export async function describeImport(
  { config, home }: Pick<Setup, 'config' | 'home'>,
  tenant: string,
  outcome: Omit<Imported, 'address' | 'lines'>,
): Promise<Imported> {
  const { name, isNew, tables, cubes, leftOut, documents } = outcome;
  const dashboard = documents.find((path) => path.endsWith('.servicedash')) ?? `shared/${name}/overview.servicedash`;
  const running = await runningServer(home);
  const server =
    running ?? serverUrl(config['service.http.host'], config['service.http.port'], config['service.http.basePath']);
  const address = `${server}${PAGES.view.path}?path=${encodeURIComponent(dashboard).replaceAll('%2F', '/')}`;
  const hint = running === undefined ? ' after `service start`' : '';
  const lines = [
    ...tables.flatMap((table) => [
      `${table.name}: ${counted(table.rows, 'row')}`,
      ...table.notes.map((note) => `  ${note}`),
    ]),
    ...cubes.flatMap(({ name, measures, dimensions, notes }) => [
      `cube ${name}: ${counted(measures, 'measure')}, ${counted(dimensions, 'dimension')}`,
      ...notes.map((note) => `  ${note}`),
    ]),
    ...leftOut.map(({ table, reason }) => `in no cube: ${table}: ${reason}`),
    isNew
      ? `${name} is published with ${counted(documents.length, 'document')} in shared/${name}/.`
      : `The data of ${name} is replaced; its model and its documents are as they were.`,
    tenant === DEFAULT_TENANT
      ? `Look at it at ${address}${hint}.`
      : `Look at it at ${address}${hint}, signed in as ${tenant}/<user>.`,
  ];
  return { ...outcome, address, lines };
}
