import { text as textOfStream } from 'node:stream/consumers';
import { Command } from 'commander';
import type { DatasourceType } from '../../router/capabilities/datasources.ts';
import { ADMINISTRATOR_ROLE, type TenantId } from '../../router/capabilities/identity.ts';
import type { AnswerRecord, TabularAnswer } from '../../router/capabilities/query-source.ts';
import { ValidationError } from '../../router/errors.ts';
import { readJson } from '../../router/json.ts';
import { DEFAULT_TENANT } from '../identity/index.ts';
import type { Connection } from '../launcher-offline.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { CommandError } from './command-error.ts';
import { existingHome, warehousesOf } from './offline.ts';
import { answerCell, printRows } from './print.ts';
import { homeOption } from './setup.ts';

interface Options {
  readonly home: string;
  readonly connection?: string;
  readonly role: readonly string[];
  readonly json?: true;
}

export function queryCommand(): Command {
  return new Command('query')
    .description('Answer a typed request of a semantic model or a cube, as a table or as JSON, without the server.')
    .argument('[file]', 'the request as JSON; standard input without it')
    .addOption(homeOption())
    .option('--connection <name>', 'the datasource to ask; else the one that the request names')
    .option('--role <role...>', 'answer as a caller with these roles would be answered', [ADMINISTRATOR_ROLE])
    .option('--json', 'print JSON')
    .action(query);
}

async function query(file: string | undefined, options: Options): Promise<void> {
  const setup = existingHome(options.home);
  const { ask, connections, textOf } = await import('../launcher-offline.ts');
  const text = file === undefined || file === '-' ? await standardInput() : await textOf(file);
  const warehouses = openWarehouses(warehousesOf(setup));
  try {
    const written = requestOf(text, file ?? 'standard input');
    const isCube = written.cube !== undefined;
    const name = options.connection ?? (isCube ? connectionOf(written.cube) : written.connection);
    const type = isCube ? 'OLAP' : 'SEMANTIC';
    const datasource = chosen(await connections(setup.home.datasources, warehouses.supported), name, type);
    // The state store stays closed, so no tenant is looked up; of a scope only its roles decide here.
    const scope = { tenant: DEFAULT_TENANT as TenantId, user: 'command line', roles: options.role };
    const request = isCube ? written : { ...written, connection: datasource.name };
    print(await ask({ request, datasource, warehouses, scope, setup }), options.json === true);
  } catch (error) {
    throw error instanceof ValidationError ? new CommandError(inOneLine(error), { cause: error }) : error;
  } finally {
    await warehouses.close();
  }
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) throw new CommandError('Give the request as a file, or on standard input.');
  return textOfStream(process.stdin);
}

function requestOf(text: string, where: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    throw new CommandError(`The request in ${where} is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`The request in ${where} is no JSON object.`);
  }
  return { ...value };
}

/** The first part of a cube's id. */
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
    throw new CommandError(`The connection ${only.name} holds no ${type === 'OLAP' ? 'cubes' : 'semantic model'}.`);
  }
  return only.datasource;
}

/** Every problem, each with its place and, where they are few, the candidates. */
function inOneLine({ problems }: ValidationError): string {
  return problems
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
