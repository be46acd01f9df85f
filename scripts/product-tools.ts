/** Lists the tools that agents get, over surfaces without data. */
import { cube } from '../plugins/cube/index.ts';
import { viewing } from '../plugins/embed/index.ts';
import { getRowsTool, showAnswerTool } from '../plugins/mcp/index.ts';
import { repository } from '../plugins/repository/index.ts';
import { semantic } from '../plugins/semantic/index.ts';
import { skills } from '../plugins/skills/index.ts';
import type { Repository } from '../router/capabilities/repository.ts';
import { ForbiddenError } from '../router/errors.ts';
import { operations } from '../router/operation.ts';
import { routersOf } from '../router/plugin.ts';
import { collectRoutes } from '../router/rest/routes.ts';
import { NO_JOBS } from '../router/testing/no-jobs.ts';
import { collectTools, type Tool } from '../router/tools/tools.ts';
import { openCache } from '../server/cache/cache.ts';
import { readConfig } from '../server/config/read-config.ts';
import { askSettings, cubeSettings, semanticSettings } from '../server/config/surface-settings.ts';
import { openLog } from '../server/log/log.ts';
import { openState } from '../server/state/index.ts';
import { openWarehouses } from '../server/warehouse/index.ts';

/** A tool as agents are shown it. */
export type ListedTool = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema'>;

const NO_DOCUMENTS: Repository = {
  list: async () => [],
  read: async () => undefined,
  write: async () => Promise.reject(new ForbiddenError('There is no folder.')),
  remove: async () => false,
  mayWrite: () => false,
};

/** Tools answer no files. */
const NO_FILE = { size: 1, run: () => Promise.reject(new ForbiddenError('No file is written here.')) };
const NO_FILES = { workbooks: NO_FILE, papers: NO_FILE };

/** Lists the tools of the product's operations, over surfaces without data. */
export async function toolsOfProduct(): Promise<readonly ListedTool[]> {
  const log = openLog('silent');
  const { config } = readConfig({ properties: '', environment: {} });
  const state = await openState({ url: undefined, sqliteFile: ':memory:', log });
  const warehouses = openWarehouses({ statementTimeoutMs: 1_000, poolSize: 1, home: '.', log });
  const common = {
    warehouses,
    cache: openCache({ maxBytes: 0, clock: Date.now }),
    jobs: NO_JOBS,
    log,
    clock: Date.now,
  };
  const documents = { repository: NO_DOCUMENTS, sources: [], askSources: [] };
  const skillFolders = skills({ directoryOf: async () => '.', clock: Date.now }).folders;
  const asking = {
    llm: undefined,
    skills: skillFolders,
    clock: Date.now,
    settings: askSettings(config),
    questions: { keep: async () => false },
  };
  const plugins = [
    cube({ ...common, state, settings: cubeSettings(config) }).plugin,
    semantic({ ...common, settings: semanticSettings(config) }).plugin,
    repository({ ...documents, state, clock: Date.now }),
    viewing({ ...documents, asking, log, files: NO_FILES }),
  ] as const;
  const router = operations(routersOf(plugins));
  const collected = collectTools({ router, routes: collectRoutes(plugins), onError: () => {} });
  const tools = [...[...collected.values()].filter(({ isInner }) => isInner !== true), getRowsTool, showAnswerTool];
  await warehouses.close();
  await state.close();
  return tools;
}
