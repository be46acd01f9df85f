/** Removes datasources with what was made for them, and puts all of it back for a while. */
import { basename, join, relative } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import type { State } from '../../../router/capabilities/state.ts';
import { ConflictError } from '../../../router/errors.ts';
import { plural } from '../../../router/plural.ts';
import { type DatasourceRegistry, takeBackLeft, writeTogether } from '../../datasources/index.ts';
import { EndedEmbeds, embedsOf, endEmbedsOfDocument, restoreEmbeds } from '../../embed/index.ts';
import { placesFor, planWithdrawal, withdrawMade } from '../../inference/index.ts';
import { kindOf } from '../../repository/index.ts';
import type { DataChanges } from '../changes.ts';
import { type DataFiles, shortName } from '../data-files.ts';
import { UNDO_TTL_MS } from '../limits.ts';
import { noDatasource } from '../no-datasource.ts';
import { KeptSchedule, type Schedules } from '../refresh/schedules.ts';
import type { Removal } from '../schemas.ts';

export interface RemovalDependencies {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly repository: Repository;
  readonly state: State;
  readonly clock: Clock;
  readonly changes: DataChanges;
  readonly files: DataFiles;
  readonly schedules: Schedules;
  /** Removes the database of a datasource, where nothing reads it any more. */
  readonly dropUnread: (tenant: TenantId, datasource: Pick<Datasource, 'name' | 'warehouse'>) => Promise<void>;
}

const Text = z.object({ path: z.string(), text: z.string() });
const RemovedContent = z.object({
  descriptor: Text,
  document: Text.nullable(),
  documents: z.array(Text),
  embeds: z.array(EndedEmbeds),
  name: z.string(),
  warehouse: z.object({ jdbcUrl: z.string() }),
  refreshes: z.array(KeptSchedule).default([]),
});

/** What went with a datasource, and how to put it back. */
export interface RemovedDatasource {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly undo: string;
  readonly undoUntil: string;
}

export class Removals {
  readonly #parts: RemovalDependencies;

  constructor(parts: RemovalDependencies) {
    this.#parts = parts;
  }

  /** Describes what goes with a datasource and what stays. Nothing is removed. */
  async describe(caller: Scope, id: string): Promise<Removal> {
    const { registryOf, state, clock, files } = this.#parts;
    const { tenant } = caller;
    const registry = await registryOf(tenant);
    const all = await registry.described();
    const described = all.find(({ datasource }) => datasource.id === id);
    if (described === undefined)
      throw noDatasource(
        id,
        all.map(({ datasource }) => datasource.id),
      );
    const { datasource, source, entry } = described;
    const own = join(registry.directory, entry.file);
    const { document, removed, kept } = await planWithdrawal(this.#parts, caller, datasource, source, own);
    const goes = [
      { kind: 'datasource', name: datasource.name },
      ...(document === undefined ? [] : [{ kind: 'document', name: basename(datasource.documentPath) }]),
      ...removed.map(({ path }) => ({ kind: kindOf(path) ?? 'document', name: path })),
    ];
    const gone = new Set(removed.map(({ path }) => path));
    const embeds = (await embedsOf(state, clock, tenant)).filter(({ path }) => gone.has(path));
    for (const kind of ['token', 'public-grant'] as const) {
      const count = embeds.filter((each) => each.kind === kind).length;
      const noun = kind === 'token' ? 'embed token' : 'public grant';
      if (count > 0) goes.push({ kind, name: `${count} ${plural(count, noun)} of these documents` });
    }
    const stays: Removal['stays'] = kept.map((name) => ({
      kind: kindOf(name) ?? 'document',
      name,
      reason: 'It was changed since it was made.',
    }));
    if (document === undefined && kept.length === 0)
      stays.push({
        kind: 'document',
        name: basename(datasource.documentPath),
        reason: 'It was not made here.',
      });
    const refreshes = (await this.#parts.schedules.list(tenant)).filter((row) => row.datasource_id === id).length;
    if (refreshes > 0)
      goes.push({
        kind: 'refresh',
        name: refreshes === 1 ? '1 scheduled refresh' : `${refreshes} scheduled refreshes`,
      });
    const file = await files.fileOf(tenant, datasource);
    const others = file === undefined ? [] : (await files.usesOf(tenant, file)).filter((each) => each !== described);
    const readers = others.map((each) => each.datasource).filter((each) => each.id !== id);
    if (file === undefined)
      stays.push({ kind: 'data', name: 'The database', reason: 'It is not a part of this server.' });
    else if (readers.length > 0)
      stays.push({
        kind: 'data',
        name: 'The uploaded data',
        reason: `${readers.map(({ name }) => name).join(' and ')} reads it, too.`,
      });
    else goes.push({ kind: 'data', name: 'The uploaded data, unless a saved connection has it' });
    return { id, name: datasource.name, goes, stays, undoMinutes: UNDO_TTL_MS / 60_000 };
  }

  /** Withdraws what was made for a datasource that was just removed, and keeps it for an undo. */
  async removed(caller: Scope, datasource: Datasource, descriptor: string, file: string): Promise<RemovedDatasource> {
    const { state, clock, changes, registryOf } = this.#parts;
    const { tenant } = caller;
    const { directory } = await registryOf(tenant);
    const plan = await planWithdrawal(this.#parts, caller, datasource, descriptor);
    const { removed, kept } = await withdrawMade(this.#parts, caller, datasource, descriptor);
    const embeds: EndedEmbeds[] = [];
    for (const path of removed) {
      const kind = kindOf(path);
      if (kind !== undefined) embeds.push(await endEmbedsOfDocument(state, clock, tenant, { kind, path }));
    }
    const content: z.infer<typeof RemovedContent> = {
      descriptor: { path: file, text: descriptor },
      document:
        plan.document === undefined
          ? null
          : { path: relative(directory, datasource.documentPath), text: plan.document },
      documents: [...plan.removed],
      embeds,
      name: datasource.name,
      warehouse: { jdbcUrl: datasource.warehouse.jdbcUrl },
      refreshes: (await this.#parts.schedules.removeOf(tenant, datasource.id)).map((row) => KeptSchedule.parse(row)),
    };
    const row = await changes.add(caller, {
      state: 'removed',
      datasource_id: datasource.id,
      name: datasource.name,
      content: JSON.stringify(content),
      ttlMs: UNDO_TTL_MS,
    });
    return { removed, kept, undo: row.id, undoUntil: new Date(row.expires_at).toISOString() };
  }

  /** Puts a removed datasource back, with all that went with it. @throws ConflictError where its place is taken */
  async undo(caller: Scope, id: string) {
    const { changes, registryOf, repository, state } = this.#parts;
    const { tenant } = caller;
    const row = await changes.get(tenant, id, 'removed');
    const content = RemovedContent.parse(JSON.parse(row.content));
    const { descriptor, document, documents, embeds, refreshes } = content;
    const registry = await registryOf(tenant);
    const places = placesFor(registry.directory, repository, caller);
    const stem = descriptor.path.replace(/\.sds$/, '');
    const [entry] = await registry.addTogether([stem], async (present) => {
      const taken = present.find(({ file, name }) => file === descriptor.path || name === content.name);
      if (taken !== undefined)
        throw new ConflictError(`There is a datasource "${taken.name}" again. Remove it first.`, {
          code: 'DATASOURCE_EXISTS',
        });
      for (const { path } of documents)
        if ((await places.repository.read(path)) !== undefined)
          throw new ConflictError(`There is a document ${path} again. Move it first.`, { code: 'DOCUMENT_EXISTS' });
      if (!(await changes.remove(row)))
        throw new ConflictError('This is being undone already.', { code: 'STALE_VERSION' });
      await takeBackLeft(places);
      await writeTogether(places, {
        name: `undo-${id}`,
        files: [...(document === null ? [] : [document]), descriptor],
        documents,
      });
    });
    for (const each of embeds) await restoreEmbeds(state, tenant, each);
    await this.#parts.schedules.restore(tenant, refreshes);
    return { models: entry === undefined ? [] : [{ id: entry.id, name: entry.name, status: entry.status }] };
  }

  /** Removes the data of a datasource for good, after the time of its undo. */
  async forget(tenant: TenantId, content: string): Promise<void> {
    const { name, warehouse } = RemovedContent.parse(JSON.parse(content));
    await this.#parts.dropUnread(tenant, { name, warehouse });
  }

  /** Returns the file of the data that an undo needs. */
  async neededFile(tenant: TenantId, content: string): Promise<string | undefined> {
    const { warehouse } = RemovedContent.parse(JSON.parse(content));
    const file = await this.#parts.files.fileOf(tenant, { warehouse });
    return file === undefined ? undefined : shortName(file);
  }
}
