import { text as textOfStream } from 'node:stream/consumers';
import { Command } from 'commander';
import { isAttributeName } from '../../router/capabilities/attributes.ts';
import type { DatasourceType } from '../../router/capabilities/datasources.ts';
import { ADMINISTRATOR_ROLE, scopeOf, type TenantId, type UserCaller } from '../../router/capabilities/identity.ts';
import type { AnswerRecord, Others, TabularAnswer } from '../../router/capabilities/query-source.ts';
import { toProblemBody } from '../../router/error-body.ts';
import { ValidationError } from '../../router/errors.ts';
import { readJson } from '../../router/json.ts';
import { type ViewAs, viewedAs } from '../../router/view-as.ts';
import { DEFAULT_TENANT } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome, warehousesOf } from '../installation/existing-home.ts';
import type { Connection } from '../launcher-offline.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { UsageError } from './option-values.ts';
import { answerCell, printRows } from './print.ts';

export interface QueryOptions {
  readonly home: string;
  readonly tenant: string;
  readonly connection?: string;
  readonly role: readonly string[];
  readonly as?: readonly string[];
  readonly json?: true;
}

export function queryCommand(): Command {
  return requestCommand('query')
    .description('Answer a typed request of a semantic model or a cube, as a table or as JSON, without the server.')
    .action(async (file: string | undefined, options: QueryOptions) => {
      print(await answerRequest(file, options), options.json === true);
    });
}

/** Begins a command with one typed request. */
export function requestCommand(name: string): Command {
  return new Command(name)
    .argument('[file]', 'the request as JSON; standard input without it')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--connection <name>', 'the datasource to ask; else the one that the request names')
    .option('--role <role...>', 'answer as a caller with these roles would be answered', [ADMINISTRATOR_ROLE])
    .option(
      '--as <who...>',
      'view as somebody: a role, or values of attributes such as regions=South regions=North; the answer has at most what both may see',
    )
    .option('--json', 'print JSON');
}

/** A request with a query and the analysis of its answer. */
export interface Analysing {
  readonly kind: 'anomaly' | 'forecast';
  readonly onProgress: (done: number, total: number) => void;
}

/** Reads a request from a file or from standard input, and answers it for a caller with the given roles. */
export async function answerRequest(
  file: string | undefined,
  options: QueryOptions,
  analysing?: Analysing,
): Promise<TabularAnswer> {
  const { readInputFile } = await import('../launcher-offline.ts');
  const text = file === undefined || file === '-' ? await standardInput() : await readInputFile(file);
  return answerWritten(requestOf(text, file ?? 'standard input'), options, analysing);
}

/** Answers a request for a caller with the given roles. @param others the rest that is answered in place of the whole */
export async function answerWritten(
  whole: Readonly<Record<string, unknown>>,
  options: QueryOptions,
  analysing?: Analysing,
  others?: Others,
): Promise<TabularAnswer> {
  const setup = existingHome(options.home, options.tenant);
  const { ask, connections } = await import('../launcher-offline.ts');
  const warehouses = openWarehouses(warehousesOf(setup));
  try {
    const { written, analytics } =
      analysing === undefined ? { written: whole, analytics: undefined } : unwrapped(whole, analysing);
    const isCube = written.cube !== undefined;
    const name = options.connection ?? (isCube ? connectionOf(written.cube) : written.connection);
    const type = isCube ? 'OLAP' : 'SEMANTIC';
    const datasource = chosen(await connections(setup.home.datasources, warehouses.supported), name, type);
    // The state store stays closed, so no tenant is read; of a scope only the roles matter here.
    const caller: UserCaller = {
      kind: 'user',
      via: 'session',
      tenant: DEFAULT_TENANT as TenantId,
      user: 'command line',
      roles: options.role,
      isAccount: true,
    };
    const scope = options.as === undefined ? scopeOf(caller) : scopeOf(viewedAs(caller, viewAsOf(options.as)));
    const request = isCube ? written : { ...written, connection: datasource.name };
    return await ask({ request, datasource, warehouses, scope, setup, others, analytics });
  } catch (error) {
    throw error instanceof ValidationError ? new CommandError(inOneLine(error), { cause: error }) : error;
  } finally {
    await warehouses.close();
  }
}

/**
 * Reads whom to view as: `ROLE_SALES`, `regions=South`.
 *
 * @throws UsageError for several roles, and for a name that no attribute can have
 */
function viewAsOf(texts: readonly string[]): ViewAs {
  const roles = texts.filter((text) => !text.includes('='));
  if (roles.length > 1) throw new UsageError('View as one role; further texts are attribute=value.');
  const attributes: Record<string, string[]> = {};
  for (const text of texts.filter((each) => each.includes('='))) {
    const name = text.slice(0, text.indexOf('='));
    if (!isAttributeName(name)) throw new UsageError(`${name} is no name of an attribute.`);
    attributes[name] = [...(attributes[name] ?? []), text.slice(name.length + 1)];
  }
  const [role] = roles;
  const hasAttributes = Object.keys(attributes).length > 0;
  return { ...(role === undefined ? {} : { role }), ...(hasAttributes ? { attributes } : {}) };
}

/** Returns the query inside of a request with analysis. */
function unwrapped({ query, ...rest }: Readonly<Record<string, unknown>>, { kind, onProgress }: Analysing) {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw new CommandError('The request has no query: { "query": { … }, "timeAxis": "…" }.');
  }
  const written: Readonly<Record<string, unknown>> = { ...query };
  return { written, analytics: { request: { ...rest, kind }, onProgress } };
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) throw new CommandError('Give the request as a file, or on standard input.');
  return textOfStream(process.stdin);
}

export function requestOf(text: string, where: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    // JSON beyond a limit has no cause: its message names the limit.
    const limit = error instanceof Error && error.cause === undefined ? error.message : undefined;
    throw new CommandError(
      limit === undefined
        ? `The request in ${where} is not valid JSON.`
        : `The request in ${where} cannot be read. ${limit}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`The request in ${where} is not a JSON object.`);
  }
  return { ...value };
}

/** Returns the first part of a cube's id. */
function connectionOf(cube: unknown): unknown {
  if (typeof cube === 'string') return cube.split('/')[0];
  return typeof cube === 'object' && cube !== null && 'connectionName' in cube ? cube.connectionName : undefined;
}

function chosen(connections: readonly Connection[], name: unknown, type: DatasourceType) {
  const fitting = connections.filter(({ datasource }) => datasource?.type === type && datasource.enabled);
  const [only, ...others] = name === undefined ? fitting : connections.filter((one) => one.name === name);
  const names = fitting.map((one) => one.name).join(', ') || 'none';
  if (only === undefined)
    throw new CommandError(
      `There is no connection ${name === undefined ? '' : `${String(name)} `}here; there are: ${names}.`,
    );
  if (others.length > 0) throw new CommandError(`Name the connection with --connection; there are: ${names}.`);
  if (only.datasource === undefined) {
    throw new CommandError(`The connection ${only.name} cannot be used: ${only.problems[0]?.message ?? ''}`);
  }
  if (only.datasource.type !== type) {
    throw new CommandError(`The connection ${only.name} has no ${type === 'OLAP' ? 'cubes' : 'semantic model'}.`);
  }
  return only.datasource;
}

/** Prints every problem with its place and, where they are few, the candidates. */
function inOneLine({ problems }: ValidationError): string {
  return problems
    .map(toProblemBody)
    .map(({ field, message, available = [] }) => {
      const candidates = available.length === 0 || available.length > 12 ? '' : ` There are: ${available.join(', ')}.`;
      return `${field === '' ? '' : `${field}: `}${message}${candidates}`;
    })
    .join(' ');
}

function print({ columns, records, meta, ...rest }: TabularAnswer, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ columns, records, meta, ...rest }, null, 2)}\n`);
    return;
  }
  const headers = columns.map(({ key, label }) =>
    columns.filter((one) => one.label === label).length > 1 ? key : label,
  );
  const row = (record: AnswerRecord) => columns.map(({ key }, index) => [headers[index] ?? key, cell(record[key])]);
  printRows(
    records.map((record) => Object.fromEntries(row(record))),
    false,
    answerCell,
  );
  if (meta.truncated) process.stderr.write(`Only the first ${meta.rowCount} rows are shown.\n`);
  if (meta.suppressed !== undefined)
    process.stderr.write(`${meta.suppressed.count} rows are masked: ${meta.suppressed.reason}\n`);
}

function cell(value: AnswerRecord[string] | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return value.formatted ?? (value.suppressed === true ? '–' : null);
}
