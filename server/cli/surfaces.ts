/**
 * What commands use of the surfaces without starting the server. Beside the launcher the one file here that knows
 * plugins; commands load it when they run, so that the others do not wait for it.
 */
import { readSchema } from '../../plugins/cube/schema/read.ts';
import { parseDescriptor } from '../../plugins/datasources/descriptor/parse.ts';
import { descriptorFiles, readTextFile } from '../../plugins/datasources/files.ts';
import { type LintOptions, type LintReport, lintDocument } from '../../plugins/semantic/lint/index.ts';
import { loadModel } from '../../plugins/semantic/load.ts';
import { Integrity } from '../../plugins/semantic/query/integrity.ts';
import { answer, compile, type QuerySettings } from '../../plugins/semantic/query/pipeline.ts';
import { SemanticQueryRequest } from '../../plugins/semantic/schemas.ts';
import type { Datasource, DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { TabularAnswer } from '../../router/capabilities/query-source.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { openCache } from '../cache/cache.ts';
import { CommandError } from './command-error.ts';

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
  const notChecked = ['whether its tables and columns exist (of a cube schema only the document is checked)'];
  return { kind: 'cube schema', problems: readSchema(text).problems, notChecked };
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
