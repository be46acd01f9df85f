/**
 * What commands use of the surfaces without starting the server. Beside the launcher the one file here that knows
 * plugins; commands load it when they run, so that the others do not wait for it.
 */
import { Catalog } from '../../plugins/cube/catalog.ts';
import { checkFormulas, resolutionProblems } from '../../plugins/cube/formulas.ts';
import { type CellSet, MdxError, openCatalog } from '../../plugins/cube/mdx/index.ts';
import { asDrillthrough, cellSetJson, cellSetTable } from '../../plugins/cube/mdx/query/print.ts';
import { resultText } from '../../plugins/cube/mdx/query/result-text.ts';
import { NO_WAREHOUSE } from '../../plugins/cube/no-warehouse.ts';
import { prepare, run } from '../../plugins/cube/query/pipeline.ts';
import { tabular } from '../../plugins/cube/query/response.ts';
import { readSchema } from '../../plugins/cube/schema/read.ts';
import { CubeQueryRequest } from '../../plugins/cube/schemas.ts';
import type { CubeSettings } from '../../plugins/cube/settings.ts';
import { tableProblems } from '../../plugins/cube/tables.ts';
import { withFactCounts } from '../../plugins/cube/view/fact-counts.ts';
import { parseDescriptor } from '../../plugins/datasources/descriptor/parse.ts';
import { descriptorFiles, readTextFile } from '../../plugins/datasources/files.ts';
import { type LintOptions, type LintReport, lintDocument } from '../../plugins/semantic/lint/index.ts';
import { rolesNamed } from '../../plugins/semantic/lint/roles.ts';
import { loadModel } from '../../plugins/semantic/load.ts';
import { Integrity } from '../../plugins/semantic/query/integrity.ts';
import { answer, compile, type QuerySettings } from '../../plugins/semantic/query/pipeline.ts';
import { SemanticQueryRequest } from '../../plugins/semantic/schemas.ts';
import { ALL_SETTLED, type Datasource, type DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import type { WarehouseAddress, Warehouses } from '../../router/capabilities/warehouse.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { openCache } from '../cache/cache.ts';
import { CommandError } from './command-error.ts';
import { answerCell } from './print.ts';

export { askedMigrations, endAskedOf } from '../../plugins/cube/asked.ts';
export { embedMigrations, endEmbedsOfUser } from '../../plugins/embed/index.ts';
export { convertCube } from '../../plugins/semantic/convert/cube/index.ts';
export { convertMetricflow, readManifest } from '../../plugins/semantic/convert/metricflow/index.ts';
export { type Conversion, writeOsi } from '../../plugins/semantic/convert/osi.ts';

/** Bytes of a document or a request at most, as in the registry of datasources. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The text of a file. Throws `CommandError`. */
export async function textOf(file: string): Promise<string> {
  const read = await readTextFile(file, MAX_BYTES);
  if ('text' in read) return read.text;
  throw new CommandError(`${file} ${read.unreadable}.`);
}

export interface Checked extends LintReport {
  readonly kind: 'semantic document' | 'cube schema';
}

/** A cube schema is XML, a semantic document is YAML or JSON: the first character tells. */
export async function check(text: string, options: LintOptions): Promise<Checked> {
  if (!/^\uFEFF?\s*</.test(text)) return { kind: 'semantic document', ...(await lintDocument(text, options)) };
  const { warehouse } = options;
  const { schema, problems } = readSchema(text);
  const notChecked =
    warehouse === undefined
      ? ['whether its tables, columns and the members that it names exist (give a warehouse with --jdbc)']
      : [];
  if (schema === undefined) return { kind: 'cube schema', problems, notChecked };
  const formulas = checkFormulas(schema);
  const tables = warehouse === undefined ? [] : await tableProblems(schema, warehouse);
  const checked = [...problems, ...formulas, ...tables];
  if (formulas.length > 0) return { kind: 'cube schema', problems: checked, notChecked };
  const mdx = openCatalog({ schema, warehouse: warehouse ?? NO_WAREHOUSE });
  try {
    const names = await resolutionProblems(mdx, warehouse !== undefined && tables.length === 0);
    return { kind: 'cube schema', problems: [...checked, ...names], notChecked };
  } finally {
    await mdx.close();
  }
}

/** A descriptor in the datasources folder, or what is wrong with it. */
export interface Connection {
  readonly name: string;
  readonly datasource: Datasource | undefined;
  readonly problems: readonly DatasourceProblem[];
}

export async function connections(
  directory: string,
  supportedPrefixes: readonly string[],
): Promise<readonly Connection[]> {
  return Promise.all(
    (await descriptorFiles(directory)).map(async (file): Promise<Connection> => {
      const { name, datasource, problems } = parseDescriptor(await textOf(file), { file, supportedPrefixes });
      return { name, datasource, problems };
    }),
  );
}

/** Returns the roles that the documents of the datasources name; what cannot be read names none. */
export async function namedRoles(directory: string): Promise<ReadonlySet<string>> {
  const files = await descriptorFiles(directory);
  const named = await Promise.all(
    files.map(async (file) => {
      const descriptor = await readTextFile(file, MAX_BYTES);
      // Which driver the warehouse needs does not matter to what its document says.
      const { datasource } =
        'text' in descriptor ? parseDescriptor(descriptor.text, { file, supportedPrefixes: [''] }) : {};
      if (datasource === undefined) return [];
      const document = await readTextFile(datasource.documentPath, MAX_BYTES);
      if (!('text' in document)) return [];
      if (datasource.type === 'SEMANTIC') return rolesNamed(document.text);
      return (readSchema(document.text).schema?.roles ?? []).map(({ name }) => name);
    }),
  );
  return new Set(named.flat());
}

export interface Question {
  readonly request: unknown;
  readonly datasource: Datasource;
  readonly warehouses: Warehouses;
  readonly scope: Scope;
  readonly settings: QuerySettings;
  readonly log: Log;
}

/** Answers one typed request of a semantic model. Throws `CommandError` when its document cannot be used. */
export async function ask({ request, datasource, warehouses, scope, settings, log }: Question): Promise<TabularAnswer> {
  const parsed = SemanticQueryRequest.safeParse(request);
  if (!parsed.success) throw toServiceError(parsed.error);
  const warehouse = await warehouses.open(datasource.warehouse);
  const { model, problems } = await loadModel(datasource, await textOf(datasource.documentPath), warehouse);
  if (model === undefined) {
    const first = problems.find(({ severity }) => severity === 'error');
    throw new CommandError(`The model of ${datasource.name} cannot be used: ${first?.message ?? ''}`);
  }
  if (parsed.data.model !== undefined && parsed.data.model !== model.name) {
    throw new CommandError(
      `The connection ${datasource.name} has no model ${parsed.data.model}; it has ${model.name}.`,
    );
  }
  const integrity = new Integrity(model, warehouse, log);
  const target = { model, warehouse, keyPrefix: ['query'], integrity };
  const cache = openCache({ maxBytes: 0, clock: Date.now });
  try {
    return await answer(compile(parsed.data, target, scope, settings), target, cache, settings);
  } finally {
    integrity.close();
  }
}

export interface CubeQuestion extends Omit<Question, 'settings'> {
  readonly settings: CubeSettings;
}

/** Answers one typed request of a cube. Throws `CommandError` when its schema cannot be used. */
export async function askCube({
  request,
  datasource,
  warehouses,
  scope,
  settings,
  log,
}: CubeQuestion): Promise<TabularAnswer> {
  const parsed = CubeQueryRequest.safeParse(request);
  if (!parsed.success) throw toServiceError(parsed.error);
  const catalog = new Catalog({ warehouses, log, clock: Date.now, states: ALL_SETTLED, dropAnswers: () => undefined });
  try {
    const problems = await catalog.load(datasource, await textOf(datasource.documentPath));
    const first = problems.find(({ severity }) => severity === 'error');
    if (first !== undefined)
      throw new CommandError(`The cube schema of ${datasource.name} cannot be used: ${first.message}`);
    const target = await catalog.find(parsed.data.cube, scope);
    const engine = { cache: openCache({ maxBytes: 0, clock: Date.now }), clock: Date.now, settings };
    return tabular(await run(await prepare(parsed.data, target, engine), target, engine, { user: scope.user }));
  } finally {
    await catalog.close();
  }
}

export interface MdxQuestion {
  readonly mdx: string;
  readonly warehouses: Warehouses;
  /** File of the cube schema, and its warehouse. */
  readonly source: { readonly file: string; readonly address: WarehouseAddress };
  /** Roles of the schema; without them everything is seen. */
  readonly roles: readonly string[] | undefined;
  /** Rows of a DRILLTHROUGH at most. */
  readonly maxRows: number;
}

export interface MdxAnswer {
  /** Axes and cells line by line. */
  readonly text: string;
  readonly table: readonly Readonly<Record<string, unknown>>[];
  readonly json: unknown;
  /** For people, beside the answer. */
  readonly notes: readonly string[];
}

/** Runs an MDX statement on a schema that need not be registered. */
export async function askMdx({ mdx, warehouses, source, roles, maxRows }: MdxQuestion): Promise<MdxAnswer> {
  const { schema, problems } = readSchema(await textOf(source.file));
  if (schema === undefined) {
    const [first] = problems.filter(({ severity }) => severity === 'error');
    throw new CommandError(`${source.file}:${first?.line ?? 1}: ${first?.message ?? 'cannot be read'}`);
  }
  // As the surface serves it, so that the MDX of its answers runs here as it stands.
  const catalog = openCatalog({ schema: withFactCounts(schema), warehouse: await warehouses.open(source.address) });
  try {
    if (asDrillthrough(mdx)) {
      const { columns, rows, truncated } = await catalog.drillthrough(mdx, { roles, maxRows });
      const table = rows.map((row) =>
        Object.fromEntries(columns.map(({ name }, index) => [name, answerCell(row[index])])),
      );
      const lines = [columns.map(({ name }) => name), ...rows.map((row) => row.map(answerCell))];
      return {
        table,
        json: {
          columns,
          rows: rows.map((row) => row.map((value) => (typeof value === 'bigint' ? String(value) : value))),
          truncated,
        },
        text: lines.map((line) => line.join('\t')).join('\n'),
        notes: truncated ? [`Only the first ${rows.length} rows are shown.`] : [],
      };
    }
    const cells: CellSet = await catalog.query(mdx, { roles });
    return { table: cellSetTable(cells), json: cellSetJson(cells), text: resultText(cells), notes: [] };
  } catch (error) {
    if (!(error instanceof MdxError)) throw error;
    const at =
      error.position === undefined || /line \d+, column/.test(error.message)
        ? ''
        : ` (line ${error.position.line}, column ${error.position.column})`;
    const available = error.available ?? [];
    const candidates = available.length === 0 ? '' : ` There are: ${available.slice(0, 8).join(', ')}.`;
    throw new CommandError(`${error.message}${at}${candidates}`, { cause: error });
  } finally {
    await catalog.close();
  }
}
