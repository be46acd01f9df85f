/**
 * The launcher of commands without the server: it gives the surfaces' offline functions the files, warehouses and settings of this process, as
 * `launcher.ts` gives them capabilities. Commands import it when they run, so that other commands do not load it.
 */
import { answerOffline as answerOfCube, checkSchema, rolesNamed as cubeRoles } from '../plugins/cube/index.ts';
import { descriptorFiles, parseDescriptor, readTextFile } from '../plugins/datasources/index.ts';
import type { OfflineAnalytics } from '../plugins/query-surface/index.ts';
import {
  answerOffline as answerOfModel,
  type LintOptions,
  lintDocument,
  rolesNamed as modelRoles,
} from '../plugins/semantic/index.ts';
import type { Datasource, DatasourceProblem } from '../router/capabilities/datasources.ts';
import type { Scope } from '../router/capabilities/identity.ts';
import type { Others, TabularAnswer } from '../router/capabilities/query-source.ts';
import type { Warehouses } from '../router/capabilities/warehouse.ts';
import { openCache } from './cache/cache.ts';
import { cubeSettings, semanticSettings } from './config/surface-settings.ts';
import { CommandError } from './installation/command-error.ts';
import type { Setup } from './installation/setup.ts';

export { isAnomalySummary, isForecasts } from '../plugins/analytics/index.ts';
export { billedTenant, billingMigrations } from '../plugins/billing/index.ts';
export { type Conversion, convertCube, convertMetricflow, readManifest } from '../plugins/convert/index.ts';
export {
  cellSetJson,
  cellSetTable,
  type DrillthroughResult,
  deleteRecentQueriesOf,
  MdxError,
  type MdxOutcome,
  recentQueryMigrations,
  resultText,
  runMdx,
} from '../plugins/cube/index.ts';
export { type DataComparison, type ScheduledRefreshes, scheduledRefreshes } from '../plugins/data/index.ts';
export {
  answerFile,
  dashboardFile,
  embedMigrations,
  endEmbedsOfUser,
  layoutOf,
  offlineTokens,
  parseOthers,
  shownAnswer,
} from '../plugins/embed/index.ts';
export { writeWorkbook } from '../plugins/files/index.ts';
export { agentCallMigrations, deleteAgentCallsOf } from '../plugins/mcp/index.ts';
export { loadSqlLibrary } from '../plugins/query-surface/index.ts';
export {
  deleteDocumentVersionsOf,
  parseDashboard,
  parseSavedQuery,
  repositoryMigrations,
  type SavedQuery,
} from '../plugins/repository/index.ts';
export { rollupDemandMigrations, writeOsi } from '../plugins/semantic/index.ts';
export { type TenantWebhooks, tenantWebhooks } from '../plugins/webhooks/index.ts';

/** Maximum bytes of a document or a request, as in the registry of datasources. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Returns the text of a file. @throws CommandError */
export async function readInputFile(file: string): Promise<string> {
  const read = await readTextFile(file, MAX_BYTES);
  if ('text' in read) return read.text;
  throw new CommandError(`${file} ${read.unreadable}.`);
}

/** Checks a document. A cube schema is XML, a semantic document is YAML or JSON: the first character decides. */
export async function check(text: string, options: LintOptions) {
  return /^\uFEFF?\s*</.test(text)
    ? { kind: 'cube schema', ...(await checkSchema(text, options)) }
    : { kind: 'semantic document', ...(await lintDocument(text, options)) };
}

/** A descriptor in the datasources folder, or its problems. */
export interface Connection {
  readonly name: string;
  readonly datasource: Datasource | undefined;
  readonly problems: readonly DatasourceProblem[];
}

/** Returns the content of a folder's descriptors, by file name. @throws CommandError for one that cannot be read */
export async function connections(
  directory: string,
  supportedPrefixes: readonly string[],
): Promise<readonly Connection[]> {
  return Promise.all(
    (await descriptorFiles(directory)).map(async (file): Promise<Connection> => {
      const { name, datasource, problems } = parseDescriptor(await readInputFile(file), { file, supportedPrefixes });
      return { name, datasource, problems };
    }),
  );
}

/** Returns the roles in the datasources' documents, without unreadable documents. */
export async function namedRoles(directory: string): Promise<ReadonlySet<string>> {
  const files = await descriptorFiles(directory);
  const named = await Promise.all(
    files.map(async (file) => {
      const descriptor = await readTextFile(file, MAX_BYTES);
      // The warehouse's driver does not matter for the document.
      const { datasource } =
        'text' in descriptor ? parseDescriptor(descriptor.text, { file, supportedPrefixes: [''] }) : {};
      if (datasource === undefined) return [];
      const document = await readTextFile(datasource.documentPath, MAX_BYTES);
      if (!('text' in document)) return [];
      return datasource.type === 'SEMANTIC' ? modelRoles(document.text) : cubeRoles(document.text);
    }),
  );
  return new Set(named.flat());
}

export interface Question {
  readonly request: unknown;
  readonly datasource: Datasource;
  readonly warehouses: Warehouses;
  readonly scope: Scope;
  readonly setup: Setup;
  /** The rest that is answered in place of the whole. */
  readonly others?: Others | undefined;
  /** The analysis of the answer. */
  readonly analytics?: OfflineAnalytics | undefined;
}

/** A command runs one query, so it caches nothing. */
const UNKEPT = { cacheTtlMs: 0, samplesTtlMs: 0 } as const;

/** Answers one typed request of a datasource. @throws CommandError when its document cannot be used */
export async function ask({ setup: { config, log }, ...question }: Question): Promise<TabularAnswer> {
  const { datasource } = question;
  const text = await readInputFile(datasource.documentPath);
  const common = { ...question, text, log, cache: openCache({ maxBytes: 0, clock: Date.now }) };
  const answered =
    datasource.type === 'OLAP'
      ? await answerOfCube({ ...common, settings: { ...cubeSettings(config), ...UNKEPT } })
      : await answerOfModel({ ...common, settings: { ...semanticSettings(config), ...UNKEPT } });
  if ('unusable' in answered) throw new CommandError(answered.unusable);
  return answered;
}
