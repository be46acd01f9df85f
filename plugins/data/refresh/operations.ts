import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { shownLink } from '../../../router/capabilities/linked-files.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../router/errors.ts';
import { operation } from '../../../router/operation.ts';
import { zoneNamed } from '../../../router/time-zone.ts';
import type { ConnectionStore } from '../../inference/index.ts';
import type { Replacements } from '../replace/replacement.ts';
import { ByChange, Comparison, Done, Refresh, RefreshRequest } from '../schemas.ts';
import type { RefreshRow } from '../tables.ts';
import { findTables } from './copy-tables.ts';
import { NEVER, rhythmOf, type Schedules } from './schedules.ts';

export interface RefreshOperationsOptions {
  readonly schedules: Schedules;
  readonly replacements: Pick<Replacements, 'nameOf' | 'linksOf' | 'tablesOf'>;
  readonly store: ConnectionStore;
  readonly warehouses: Warehouses;
  readonly folderOf: (tenant: TenantId, folder: string) => Promise<string | undefined>;
  readonly clock: Clock;
}

const BASE = '/rest/service/api/admin/data/refreshes';
const CHOICE = 'Scheduled refreshes are an addition of this product.';

export function refreshOperations({
  schedules,
  replacements,
  folderOf,
  store,
  warehouses,
  clock,
}: RefreshOperationsOptions) {
  const viewed = async (row: RefreshRow): Promise<Refresh> => {
    const links =
      row.source === 'links'
        ? await replacements.linksOf(row.tenant_id as TenantId, row.datasource_id).catch(() => [])
        : [];
    return refreshView(row, clock(), links);
  };
  return {
    listRefreshes: operation({
      summary: 'List the scheduled refreshes, with the next run and how the last one ended',
      access: 'administrator',
      rest: { method: 'GET', path: BASE },
      implementationChoice: CHOICE,
    })
      .output(z.array(Refresh))
      .query(async ({ ctx }) => {
        const { tenant } = userOf(ctx);
        const rows = await schedules.list(tenant);
        return Promise.all(rows.map(viewed));
      }),

    addRefresh: operation({
      summary:
        'Schedule a refresh of the data of a model, from a folder, the links of its import, or the tables of a saved connection',
      description:
        'At each run the newest file of each table takes the place of the present data, if it fits; otherwise the present data stays and the list has the reason. Files that are the same as at the last time are not read again.',
      access: 'administrator',
      rest: { method: 'POST', path: BASE, body: '*', status: 201 },
      implementationChoice: CHOICE,
    })
      .input(RefreshRequest)
      .output(Refresh)
      .mutation(async ({ input, ctx, signal }) => {
        const caller = userOf(ctx);
        const { datasource, source, folder = '', connection, everyMinutes, at, timeZone = 'UTC' } = input;
        const name = await replacements.nameOf(caller.tenant, datasource);
        const links = await replacements.linksOf(caller.tenant, datasource);
        if (source === 'links' && links.length === 0)
          throw ValidationError.at(['source'], `The data of ${name} was not imported from links.`, ['folder']);
        if (source === 'folder' && (await folderOf(caller.tenant, folder)) === undefined)
          throw ValidationError.at(['folder'], 'The folder must be below the data folder of the server.');
        if (connection !== undefined) {
          const { address, schema } = await connectionNamed(store, caller.tenant, connection);
          const tables = await replacements.tablesOf(caller.tenant, datasource);
          await findTables({ warehouse: await warehouses.open(address), schema, tables, signal }).catch(
            (error: unknown) => {
              throw error instanceof ConflictError ? ValidationError.at(['connection'], error.message) : error;
            },
          );
        }
        const rhythm =
          everyMinutes === undefined ? { at: at ?? '00:00', timeZone: zoneNamed(timeZone) ?? 'UTC' } : { everyMinutes };
        return refreshView(
          await schedules.add(caller, { datasource, name, source, folder, connection, rhythm }),
          clock(),
          links,
        );
      }),

    compareRefresh: operation({
      summary: 'Read what the files of the last run of a refresh changed',
      description:
        'Rows, columns and dates of the tables, totals of the metrics before and after, keys without a match, and saved content that would not be answered any more. For a run that was refused: why the files do not fit.',
      access: 'administrator',
      rest: { method: 'GET', path: `${BASE}/{id}/comparison` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Comparison)
      .query(({ input, ctx }) => schedules.comparison(userOf(ctx).tenant, input.id)),

    runRefresh: operation({
      summary: 'Run a scheduled refresh now',
      description: 'A node begins it within seconds; the list shows how it ended.',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/{id}/run`, status: 202 },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Refresh)
      .mutation(async ({ input, ctx }) => viewed(await schedules.runSoon(userOf(ctx).tenant, input.id))),

    pauseRefresh: operation({
      summary: 'Pause a scheduled refresh',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/{id}/pause` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Refresh)
      .mutation(async ({ input, ctx }) => viewed(await schedules.pause(userOf(ctx).tenant, input.id, true))),

    resumeRefresh: operation({
      summary: 'Let a paused refresh go on',
      access: 'administrator',
      rest: { method: 'POST', path: `${BASE}/{id}/resume` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Refresh)
      .mutation(async ({ input, ctx }) => viewed(await schedules.pause(userOf(ctx).tenant, input.id, false))),

    removeRefresh: operation({
      summary: 'Remove a scheduled refresh; the data stays',
      access: 'administrator',
      rest: { method: 'DELETE', path: `${BASE}/{id}` },
      implementationChoice: CHOICE,
    })
      .input(ByChange)
      .output(Done)
      .mutation(async ({ input, ctx }) => {
        await schedules.remove(userOf(ctx).tenant, input.id);
        return { status: 'OK' } as const;
      }),
  };
}

/** @throws ValidationError at `connection` */
async function connectionNamed(store: ConnectionStore, tenant: TenantId, id: string) {
  try {
    return await store.get(tenant, id);
  } catch (error) {
    throw error instanceof NotFoundError ? ValidationError.at(['connection'], error.message) : error;
  }
}

/** Shows a schedule without the node that runs it. */
export function refreshView(row: RefreshRow, now: number, links: readonly string[] = []): Refresh {
  const time = (millis: number | null) => (millis === null ? null : new Date(millis).toISOString());
  return {
    id: row.id,
    datasource: row.datasource_id,
    name: row.name,
    source: row.source,
    folder: row.folder,
    ...(row.rollup === null ? {} : { rollup: row.rollup }),
    ...(row.connection_id === null ? {} : { connection: row.connection_id }),
    links: row.source === 'links' ? links.map(shownLink) : [],
    ...rhythmOf(row),
    isPaused: row.is_paused === 1,
    isRunning: row.run_until !== null && row.run_until > now,
    nextRun: row.next_run_at === NEVER ? null : time(row.next_run_at),
    lastRun: time(row.last_run_at),
    lastResult: row.last_result === null ? null : Refresh.shape.lastResult.parse(row.last_result),
    lastMessage: row.last_message,
    isCompared: row.last_comparison !== null,
  };
}
