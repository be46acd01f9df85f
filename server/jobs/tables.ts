import type { JobState } from '../../router/capabilities/jobs.ts';
import type { Migrations } from '../../router/capabilities/state.ts';

export interface JobTables {
  jobs: JobsTable;
}

interface JobsTable {
  /** A UUID. */
  readonly id: string;
  readonly surface: string;
  readonly tenant_id: string;
  owner: string;
  /** What the owner sees, as `visibilityKey` writes it: two scopes with one text are one owner. */
  readonly owner_roles: string;
  /** JSON: the owner's scope, which the job reads its data under; null in rows with role names in `owner_roles` alone. */
  readonly owner_scope: string | null;
  /** The running node; `NO_NODE` for a released job. */
  node: string;
  state: JobState;
  readonly submitted_at: number;
  /** The last time that its node reported to be alive. */
  heartbeat_at: number;
  finished_at: number | null;
  error_code: string | null;
  error_message: string | null;
  /** JSON. */
  result: string | null;
  /** Length of `result`. */
  result_size: number;
  /** JSON of the request, while the job may have to run again. */
  request: string | null;
  /** Number of starts. */
  attempts: number;
}

export const NO_NODE = '';

export const jobMigrations: Migrations = {
  '0001_jobs': {
    async up(database) {
      await database.schema
        .createTable('jobs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('surface', 'text', (column) => column.notNull())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('owner_roles', 'text', (column) => column.notNull())
        .addColumn('node', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('submitted_at', 'bigint', (column) => column.notNull())
        .addColumn('heartbeat_at', 'bigint', (column) => column.notNull())
        .addColumn('finished_at', 'bigint')
        .addColumn('error_code', 'text')
        .addColumn('error_message', 'text')
        .addColumn('result', 'text')
        .addColumn('result_size', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('jobs_of_owner').on('jobs').columns(['tenant_id', 'owner']).execute();
      await database.schema.createIndex('jobs_by_state').on('jobs').columns(['state', 'heartbeat_at']).execute();
      await database.schema.createIndex('jobs_finished').on('jobs').column('finished_at').execute();
    },
  },
  '0002_hand_back': {
    async up(database) {
      await database.schema.alterTable('jobs').addColumn('request', 'text').execute();
      await database.schema
        .alterTable('jobs')
        .addColumn('attempts', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '0003_owner_scope': {
    async up(database) {
      await database.schema.alterTable('jobs').addColumn('owner_scope', 'text').execute();
    },
  },
};
