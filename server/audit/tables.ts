import type { Migrations } from '../../router/capabilities/state.ts';

/** The kinds of entries, which are also the values of the filter. */
export const AUDIT_KINDS = [
  'SIGN_IN',
  'API_KEY',
  'TOKEN',
  'GRANT',
  'QUERY',
  'CHANGE',
  'ADMINISTRATION',
  'REFUSAL',
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

export interface AuditTables {
  audit_log: {
    /** Sorts by time: instant, then the node's counter, then the node. */
    id: string;
    at: number;
    /** Null where no tenant is known, such as a sign-in to an unknown tenant. */
    tenant_id: string | null;
    actor: string | null;
    /** The proof of the actor's identity: `session`, `api-key`, `embed`, `command`, … */
    via: string;
    address: string;
    kind: AuditKind;
    action: string;
    /** `OK`, or the code of the error. */
    outcome: string;
    /** The target: names of datasource, model, document; never values. */
    target: string | null;
    /**
     * The viewer of an embed, by the host's name; of an administrator who views as somebody, the role and the names of the
     * attributes.
     */
    viewer: string | null;
    row_count: number | null;
    duration_ms: number | null;
    request_id: string;
  };
}

export const auditMigrations: Migrations = {
  '0001_audit_log': {
    async up(database) {
      await database.schema
        .createTable('audit_log')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('tenant_id', 'text')
        .addColumn('actor', 'text')
        .addColumn('via', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('outcome', 'text', (column) => column.notNull())
        .addColumn('target', 'text')
        .addColumn('row_count', 'bigint')
        .addColumn('duration_ms', 'bigint')
        .addColumn('request_id', 'text', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('audit_log_of_tenant').on('audit_log').columns(['tenant_id', 'id']).execute();
      await database.schema.createIndex('audit_log_by_time').on('audit_log').columns(['at']).execute();
    },
  },
  '0002_viewers': {
    async up(database) {
      await database.schema.alterTable('audit_log').addColumn('viewer', 'text').execute();
    },
  },
};
