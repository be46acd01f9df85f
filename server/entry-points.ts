/** The modules that run in their own thread or process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Entry points by name: the built file, and the source in the tree. */
export const ENTRY_POINTS = {
  'analytics-worker': 'plugins/analytics/work/worker.ts',
  'cube-engine-worker': 'server/cube-worker.ts',
  'cube-schema-worker': 'plugins/cube/catalog/schema-worker.ts',
  'cube-script-worker': 'plugins/cube/scripts/worker.ts',
  'inference-worker': 'plugins/inference/work/worker.ts',
  'models-worker': 'plugins/inference/publish/models-worker.ts',
  'yaml-worker': 'plugins/semantic/yaml-worker.ts',
  'sql-worker': 'plugins/semantic/sql-worker.ts',
  'sql-text-worker': 'plugins/query-surface/sql-text-worker.ts',
  'model-edit-worker': 'plugins/semantic/edit/edit-worker.ts',
  'workbook-worker': 'plugins/files/worker.ts',
  'paper-worker': 'element/paper/worker.ts',
  'picture-worker': 'element/picture/worker.ts',
  // The script of the page that a chat shows; it is text for the server.
  'chat-answer': 'element/chat/main.ts',
  'sqlite-reader': 'server/warehouse/sqlite/reader-process.ts',
  'file-import': 'server/file-import/import-process.ts',
  'table-writer': 'server/table-writer/writer-process.ts',
} as const;

/** The environment variable with the folder of the bundles of a test run. */
export const BUNDLES_VARIABLE = 'SERVICE_TEST_BUNDLES';

export interface EntryPoint {
  readonly module: URL;
  /** Node's arguments to run it as a process. */
  readonly execArgv: readonly string[];
}

/**
 * Finds an entry point: the built file beside this one. In the tree it is the bundle of a test run or, in scripts, the source itself, which takes
 * four times as long to start.
 */
export function entryPoint(name: keyof typeof ENTRY_POINTS): EntryPoint {
  if (!import.meta.url.endsWith('.ts')) return { module: new URL(`./${name}.cjs`, import.meta.url), execArgv: [] };
  const bundles = process.env[BUNDLES_VARIABLE];
  if (bundles !== undefined) return { module: pathToFileURL(join(bundles, `${name}.cjs`)), execArgv: [] };
  return { module: new URL(`../${ENTRY_POINTS[name]}`, import.meta.url), execArgv: ['--import', 'tsx'] };
}
