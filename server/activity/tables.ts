import type { Migrations } from '../../router/capabilities/state.ts';

/** Statements that run for long, and that ran for long, of all nodes. */
export interface ActivityTables {
  long_statements: {
    readonly id: string;
    /** Null for the process's own statements. */
    readonly tenant_id: string | null;
    readonly actor: string | null;
    /** The reader of an embed, by the host's name. */
    readonly viewer: string | null;
    /** The operation that needs it, such as `semantic.query`; null for one outside of requests. */
    readonly operation: string | null;
    readonly engine: string;
    readonly warehouse: string;
    /** Without the values of parameters. */
    readonly sql: string;
    readonly started_at: number;
    /** The last time at which its node reported it. */
    seen_at: number;
    ended_at: number | null;
    /** `OK`, or the code of an error; null while it runs. */
    outcome: string | null;
    plan: string | null;
    /** 1 once somebody has asked to stop it. */
    is_cancelled: number;
  };
}

export const activityMigrations: Migrations = {
  '0001_long_statements': {
    async up(database) {
      await database.schema
        .createTable('long_statements')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text')
        .addColumn('actor', 'text')
        .addColumn('viewer', 'text')
        .addColumn('operation', 'text')
        .addColumn('engine', 'text', (column) => column.notNull())
        .addColumn('warehouse', 'text', (column) => column.notNull())
        .addColumn('sql', 'text', (column) => column.notNull())
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('outcome', 'text')
        .addColumn('plan', 'text')
        .addColumn('is_cancelled', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await database.schema
        .createIndex('long_statements_of_tenant')
        .on('long_statements')
        .columns(['tenant_id', 'started_at'])
        .execute();
    },
  },
};
