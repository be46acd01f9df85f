/** `service rollup`: the roll-ups of an installation's models, with its files, warehouses and folders. Commands import it when they run. */
import {
  buildRollups,
  loggedDemands,
  type ModelSuggestions,
  type RollupOutcome,
  type RollupRequest,
  type RollupStatements,
  rollupStatements,
  rollupsOf,
  suggestFor,
} from '../plugins/semantic/index.ts';
import type { Datasource } from '../router/capabilities/datasources.ts';
import type { State } from '../router/capabilities/state.ts';
import type { Warehouses } from '../router/capabilities/warehouse.ts';
import { tableWriterSettings } from './config/warehouse-settings.ts';
import type { Identity, Tenant } from './identity/index.ts';
import { DEFAULT_TENANT } from './identity/index.ts';
import { CommandError } from './installation/command-error.ts';
import { warehousesOf } from './installation/existing-home.ts';
import type { Setup } from './installation/setup.ts';
import { connections, readInputFile, type ScheduledRefreshes } from './launcher-offline.ts';
import { openTableWriter } from './table-writer/open-table-writer.ts';
import { TenantFolders } from './tenants/tenant-folders.ts';
import { openWarehouses } from './warehouse/index.ts';

export interface RollupCommand {
  /** Of the tenant: its folder of datasources is chosen already. */
  readonly setup: Setup;
  readonly identity: Identity;
  readonly tenant: Tenant;
  /** Names of roll-ups; none stand for all. */
  readonly names: readonly string[];
  /** The name of a model or of its connection; all of the tenant without it. */
  readonly model: string | undefined;
}

/** What was done to one roll-up. */
export interface BuiltRollup extends RollupOutcome {
  readonly connection: string;
  readonly model: string;
}

interface FoundModel {
  readonly datasource: Datasource;
  readonly request: RollupRequest;
  readonly model: string;
  readonly rollups: Awaited<ReturnType<typeof rollupsOf>>['rollups'];
}

/** A declared roll-up, and how its last scheduled refresh ended. */
export interface ListedRollup {
  readonly connection: string;
  readonly model: string;
  readonly rollup: string;
  readonly table: string;
  readonly lastRun: string | null;
  readonly lastResult: string | null;
  /** Why it cannot be built, or what the last refresh reported. */
  readonly message: string;
}

/** Lists the roll-ups of the models. @throws CommandError for unknown names */
export async function listIn(command: RollupCommand, refreshes: ScheduledRefreshes): Promise<readonly ListedRollup[]> {
  const runs = await refreshes.list();
  return withModels(command, async (models) =>
    models.flatMap(({ datasource, model, rollups, request }) =>
      rollups
        .filter(({ name }) => request.names?.includes(name))
        .map(({ name, table, refused }) => {
          const run = runs.find((one) => one.datasource === datasource.id && one.rollup === name);
          return {
            connection: datasource.name,
            model,
            rollup: name,
            table,
            lastRun: run?.lastRun ?? null,
            lastResult: run?.lastResult ?? null,
            message: refused === '' ? (run?.lastMessage ?? '') : refused,
          };
        }),
    ),
  );
}

/** Builds roll-ups in the database files of a tenant's data folder. @throws CommandError for unknown names */
export async function buildIn(command: RollupCommand): Promise<readonly BuiltRollup[]> {
  const { setup, identity, tenant } = command;
  const { config, log, home } = setup;
  const first = (await identity.tenants.find(DEFAULT_TENANT)) ?? tenant;
  const folders = new TenantFolders(home, identity.tenants, first);
  const writer = openTableWriter({ ...tableWriterSettings(config), log });
  return withModels(command, async (models) => {
    const built: BuiltRollup[] = [];
    for (const { datasource, request, model } of models) {
      const file = await folders.writableFile(datasource.warehouse, tenant.id);
      const outcomes =
        file === undefined
          ? (request.names ?? []).map((rollup) => ({
              rollup,
              table: '',
              result: 'failed' as const,
              rows: null,
              message: NOT_OURS,
            }))
          : await buildRollups({ ...request, writer, file, signal: undefined });
      built.push(...outcomes.map((one) => ({ connection: datasource.name, model, ...one })));
    }
    return built;
  });
}

const NOT_OURS =
  'This warehouse is read only. Run the statements that --sql prints in it; the product writes only DuckDB files of its data folder.';

/** Returns the statements that build roll-ups. @throws CommandError for unknown names */
export function statementsIn(command: RollupCommand): Promise<readonly RollupStatements[]> {
  return withModels(command, async (models) => {
    const statements = [];
    for (const { request } of models) statements.push(...(await rollupStatements(request)));
    return statements;
  });
}

/** Suggestions for one model. */
export interface SuggestedRollups extends ModelSuggestions {
  readonly connection: string;
}

/** Suggests roll-ups for the models of a tenant, from what their queries aggregated from rows. */
export async function suggestIn(
  { setup, tenant, model: asked }: RollupCommand,
  state: State,
  most: number,
): Promise<readonly SuggestedRollups[]> {
  const warehouses = openWarehouses(warehousesOf(setup));
  try {
    const suggested: SuggestedRollups[] = [];
    const models = namedModels(await modelsOf(setup, warehouses), asked);
    for (const { datasource, request } of models) {
      const logged = await loggedDemands(state, tenant.id, datasource.id);
      suggested.push({ connection: datasource.name, ...(await suggestFor(request, logged, most)) });
    }
    return suggested;
  } finally {
    await warehouses.close();
  }
}

/** Returns the models of a name, or all. @throws CommandError where no model or connection has the name */
function namedModels(all: readonly FoundModel[], asked: string | undefined): readonly FoundModel[] {
  const named = all.filter(({ model, datasource }) => asked === undefined || [model, datasource.name].includes(asked));
  if (asked !== undefined && named.length === 0)
    throw new CommandError(`There is no model ${asked} here; there are: ${listOf(all.map(({ model }) => model))}.`);
  return named;
}

/** Opens the models that have the named roll-ups. */
async function withModels<Result>(
  { setup, names, model: asked }: RollupCommand,
  work: (models: readonly FoundModel[]) => Promise<Result>,
): Promise<Result> {
  const warehouses = openWarehouses(warehousesOf(setup));
  try {
    const named = namedModels(await modelsOf(setup, warehouses), asked);
    const rollups = named.flatMap(({ request }) => request.names ?? []);
    const unknown = names.find((name) => !rollups.includes(name));
    if (unknown !== undefined)
      throw new CommandError(`There is no roll-up ${unknown} here; there are: ${listOf(rollups)}.`);
    const chosen = named.map(({ request, ...one }) => ({
      ...one,
      request: { ...request, names: request.names?.filter((name) => names.length === 0 || names.includes(name)) },
    }));
    return await work(chosen.filter(({ request }) => request.names?.length !== 0));
  } finally {
    await warehouses.close();
  }
}

/** Returns the semantic models of a tenant, each with all of its roll-ups. */
async function modelsOf(setup: Setup, warehouses: Warehouses & { readonly supported: readonly string[] }) {
  const models: FoundModel[] = [];
  for (const { datasource } of await connections(setup.home.datasources, warehouses.supported)) {
    if (datasource?.type !== 'SEMANTIC' || !datasource.enabled) continue;
    const request = { datasource, text: await readInputFile(datasource.documentPath), warehouses };
    const { model, rollups } = await rollupsOf(request);
    models.push({ datasource, model, rollups, request: { ...request, names: rollups.map(({ name }) => name) } });
  }
  return models;
}

function listOf(names: readonly string[]): string {
  return names.join(', ') || 'none';
}
