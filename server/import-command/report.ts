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
  /** How the new data differs from the old, a line each. */
  readonly changes: readonly string[];
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

/** How a table differs from the one that it replaces; null rows where one of the two is not there. */
export interface TableChanges {
  readonly name: string;
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  readonly columnsAdded: readonly string[];
  readonly columnsRemoved: readonly string[];
  readonly columnsChanged: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly dates: readonly {
    readonly column: string;
    readonly fromBefore: string | null;
    readonly toBefore: string | null;
    readonly fromAfter: string | null;
    readonly toAfter: string | null;
  }[];
}

/** Describes how a table differs from the one that it replaces. */
export function describeChanges({
  name,
  rowsBefore,
  rowsAfter,
  columnsAdded,
  columnsRemoved,
  columnsChanged,
  dates,
}: TableChanges): readonly string[] {
  if (rowsBefore === null) return [`${name} is new, with ${counted(rowsAfter ?? 0, 'row')}.`];
  if (rowsAfter === null) return [`${name} goes, with ${counted(rowsBefore, 'row')}.`];
  return [
    `${name}: ${counted(rowsBefore, 'row')} before, ${counted(rowsAfter, 'row')} now`,
    ...columnsAdded.map((column) => `  ${column} is new`),
    ...columnsRemoved.map((column) => `  ${column} is gone`),
    ...columnsChanged.map(({ name: column, before, after }) => `  ${column} was ${before}, and is ${after}`),
    ...dates
      .filter(({ fromBefore, toBefore, fromAfter, toAfter }) => fromBefore !== fromAfter || toBefore !== toAfter)
      .map(
        ({ column, fromBefore, toBefore, fromAfter, toAfter }) =>
          `  ${column}: ${rangeText(fromBefore, toBefore)} before, ${rangeText(fromAfter, toAfter)} now`,
      ),
  ];
}

function rangeText(from: string | null, to: string | null): string {
  return from === null || to === null ? 'no dates' : `${from} to ${to}`;
}

/** Adds the dashboard's address and the lines for people to an import's result. */
export async function describeImport(
  { config, home }: Pick<Setup, 'config' | 'home'>,
  tenant: string,
  outcome: Omit<Imported, 'address' | 'lines'>,
): Promise<Imported> {
  const { name, isNew, changes, tables, cubes, leftOut, documents } = outcome;
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
    ...changes,
    isNew
      ? `${name} is published with ${counted(documents.length, 'document')} in shared/${name}/.`
      : `The data of ${name} is replaced; its model and its documents are as they were.`,
    tenant === DEFAULT_TENANT
      ? `Look at it at ${address}${hint}.`
      : `Look at it at ${address}${hint}, signed in as ${tenant}/<user>.`,
  ];
  return { ...outcome, address, lines };
}
