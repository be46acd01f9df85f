/** The saved versions of model documents. */
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { Migrations, State } from '../../../router/capabilities/state.ts';

/** Versions of one document that are kept. */
const MAX_VERSIONS = 50;

export interface ModelVersionRow {
  readonly id: string;
  readonly tenant_id: string;
  /** The id of the datasource. */
  readonly datasource_id: string;
  /** The order of the versions of a document. */
  readonly place: number;
  /** The hash of the text. */
  readonly version: string;
  readonly text: string;
  /** What the save changed, in words. */
  readonly summary: string;
  readonly user_name: string;
  readonly created_at: number;
  /** JSON list of the documents that the save changed, with their texts before and the hashes of their texts after. */
  readonly carried: string;
}

interface Tables {
  readonly model_versions: ModelVersionRow;
}

/** A document of the repository that a save changed. */
export interface CarriedDocument {
  readonly path: string;
  readonly before: string;
  readonly afterHash: string;
}

export const modelVersionMigrations: Migrations = {
  '0001_model_versions': {
    async up(database) {
      await database.schema
        .createTable('model_versions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('datasource_id', 'text', (column) => column.notNull())
        .addColumn('place', 'integer', (column) => column.notNull())
        .addColumn('version', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('summary', 'text', (column) => column.notNull())
        .addColumn('user_name', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('carried', 'text', (column) => column.notNull())
        .addUniqueConstraint('model_versions_place', ['tenant_id', 'datasource_id', 'place'])
        .execute();
    },
  },
};

/** Returns the version of a text. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export interface SavedVersion {
  readonly before: string;
  readonly after: string;
  readonly summary: string;
  readonly carried: readonly CarriedDocument[];
}

export class ModelVersions {
  readonly #state: State;
  readonly #clock: Clock;

  constructor(state: State, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Lists the versions of a document, the newest first. */
  async list({ tenant }: Scope, datasource: string): Promise<readonly ModelVersionRow[]> {
    return this.#state
      .tables<Tables>()
      .selectFrom('model_versions')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('datasource_id', '=', datasource)
      .orderBy('place', 'desc')
      .execute();
  }

  /** Adds a version. The text before it is added, too, where the list does not end with it. */
  async add(
    { tenant, user }: Scope,
    datasource: string,
    { before, after, summary, carried }: SavedVersion,
  ): Promise<void> {
    await this.#state
      .tables<Tables>()
      .transaction()
      .execute(async (transaction) => {
        const last = await transaction
          .selectFrom('model_versions')
          .select(['place', 'version'])
          .where('tenant_id', '=', tenant)
          .where('datasource_id', '=', datasource)
          .orderBy('place', 'desc')
          .executeTakeFirst();
        let place = (last?.place ?? 0) + 1;
        const shared = { tenant_id: tenant, datasource_id: datasource };
        if (last?.version !== versionOf(before)) {
          await transaction
            .insertInto('model_versions')
            .values({
              ...shared,
              id: randomUUID(),
              place,
              version: versionOf(before),
              text: before,
              summary:
                last === undefined ? 'The document before the first change here' : 'Changed outside of this page',
              user_name: '',
              created_at: this.#clock(),
              carried: '[]',
            })
            .execute();
          place += 1;
        }
        await transaction
          .insertInto('model_versions')
          .values({
            ...shared,
            id: randomUUID(),
            place,
            version: versionOf(after),
            text: after,
            summary,
            user_name: user,
            created_at: this.#clock(),
            carried: JSON.stringify(carried),
          })
          .execute();
        await transaction
          .deleteFrom('model_versions')
          .where('tenant_id', '=', tenant)
          .where('datasource_id', '=', datasource)
          .where('place', '<=', place - MAX_VERSIONS)
          .execute();
      });
  }
}
