/** The saved versions of documents, in the state. */
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';

/** Versions of one document that are kept. */
const MAX_VERSIONS = 50;
/** Time for which the versions of a tenant are kept. */
const VERSION_TTL_MS = 90 * 24 * 60 * 60 * 1_000;

/** Why a version exists. A document that changed outside of these operations is kept before its next change. */
export const VERSION_CHANGES = ['before', 'saved', 'restored'] as const;
export type VersionChange = (typeof VERSION_CHANGES)[number];

interface DocumentVersionRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly path: string;
  /** The order of the versions of a document. */
  readonly place: number;
  /** The hash of the text. */
  readonly version: string;
  readonly text: string;
  readonly change: VersionChange;
  /** Empty where the user is unknown. */
  readonly user_name: string;
  readonly created_at: number;
}

interface Tables {
  readonly document_versions: DocumentVersionRow;
}

export const repositoryMigrations: Migrations = {
  '0001_document_versions': {
    async up(database) {
      await database.schema
        .createTable('document_versions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('place', 'integer', (column) => column.notNull())
        .addColumn('version', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('change', 'text', (column) => column.notNull())
        .addColumn('user_name', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema
        .createIndex('document_versions_of_path')
        .on('document_versions')
        .columns(['tenant_id', 'path', 'place'])
        .execute();
    },
  },
};

/** Returns the version of a text. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The texts of a document before and after a change; undefined where there is no document. */
export interface DocumentChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly change: 'saved' | 'restored';
}

export class DocumentVersions {
  readonly #state: State;
  readonly #clock: Clock;

  constructor(state: State, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Lists the versions of a document without their texts, the newest first. */
  async list({ tenant }: Scope, path: string) {
    return this.#state
      .tables<Tables>()
      .selectFrom('document_versions')
      .select(['id', 'version', 'change', 'user_name', 'created_at'])
      .where('tenant_id', '=', tenant)
      .where('path', '=', path)
      .orderBy('place', 'desc')
      .execute();
  }

  async text({ tenant }: Scope, path: string, id: string): Promise<string | undefined> {
    const row = await this.#state
      .tables<Tables>()
      .selectFrom('document_versions')
      .select('text')
      .where('tenant_id', '=', tenant)
      .where('path', '=', path)
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.text;
  }

  /** Returns the users of the last changes of the tenant's documents, by path. */
  async lastUsers({ tenant }: Scope): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#state
      .tables<Tables>()
      .selectFrom('document_versions as version')
      .select(['version.path', 'version.user_name'])
      .where('version.tenant_id', '=', tenant)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('document_versions as later')
              .select('later.id')
              .whereRef('later.tenant_id', '=', 'version.tenant_id')
              .whereRef('later.path', '=', 'version.path')
              .whereRef('later.place', '>', 'version.place'),
          ),
        ),
      )
      .execute();
    return new Map(rows.map(({ path, user_name }) => [path, user_name]));
  }

  /** Keeps a change. The text before it is kept, too, where the versions do not end with it. */
  async add({ tenant, user }: Scope, path: string, { before, after, change }: DocumentChange): Promise<void> {
    const now = this.#clock();
    await this.#state
      .tables<Tables>()
      .transaction()
      .execute(async (transaction) => {
        const last = await transaction
          .selectFrom('document_versions')
          .select(['place', 'version'])
          .where('tenant_id', '=', tenant)
          .where('path', '=', path)
          .orderBy('place', 'desc')
          .executeTakeFirst();
        const kept = [
          { text: before, change: 'before' as const, user_name: '' },
          { text: after, change, user_name: user },
        ].filter(({ text }, index) => text !== undefined && (index > 0 || versionOf(text) !== last?.version));
        let place = last?.place ?? 0;
        for (const { text = '', ...row } of kept) {
          place += 1;
          const shared = { id: randomUUID(), tenant_id: tenant, path, created_at: now };
          await transaction
            .insertInto('document_versions')
            .values({ ...shared, ...row, place, version: versionOf(text), text })
            .execute();
        }
        await transaction
          .deleteFrom('document_versions')
          .where('tenant_id', '=', tenant)
          .where('path', '=', path)
          .where('place', '<=', place - MAX_VERSIONS)
          .execute();
        await transaction
          .deleteFrom('document_versions')
          .where('tenant_id', '=', tenant)
          .where('created_at', '<', now - VERSION_TTL_MS)
          .execute();
      });
  }

  /** Gives the versions of a document to its new path. Those of an earlier document there end. */
  async move({ tenant }: Scope, from: string, to: string): Promise<void> {
    await this.#state
      .tables<Tables>()
      .transaction()
      .execute(async (transaction) => {
        await transaction
          .deleteFrom('document_versions')
          .where('tenant_id', '=', tenant)
          .where('path', '=', to)
          .execute();
        await transaction
          .updateTable('document_versions')
          .set({ path: to })
          .where('tenant_id', '=', tenant)
          .where('path', '=', from)
          .execute();
      });
  }
}

/** Deletes the versions of a removed user's own documents, so that a later user of that name does not get them. */
export async function deleteDocumentVersionsOf(state: State, tenant: TenantId, user: string): Promise<void> {
  const folder = `homes/${user}/`;
  const rows = await state
    .tables<Tables>()
    .selectFrom('document_versions')
    .select(['id', 'path'])
    .where('tenant_id', '=', tenant)
    .execute();
  for (const { id, path } of rows)
    if (path.startsWith(folder))
      await state.tables<Tables>().deleteFrom('document_versions').where('id', '=', id).execute();
}
