/** Lets administrators read the audit log. */
import { z } from 'zod';
import { userOf } from '../../router/calling-user.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { ValidationError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { type KeyLabels, labelOf, UserLabel } from '../identity/key-labels.ts';
import { AUDIT_KINDS, type AuditTables, auditMigrations } from './tables.ts';

const MAX_ENTRIES = 500;
const DEFAULT_ENTRIES = 100;

const Instant = z.iso.datetime({ offset: true });
const Filter = z.string().min(1).max(200);

const AuditQuery = z.strictObject({
  from: Instant.optional().describe('Entries at this instant and after it.'),
  to: Instant.optional().describe('Entries before this instant.'),
  kind: z.enum(AUDIT_KINDS).optional(),
  user: Filter.optional().describe('Name of a user, or label of an API key.'),
  action: Filter.optional().describe('Such as `embed.createToken`.'),
  outcome: Filter.optional().describe('`OK`, or the code of an error.'),
  address: Filter.optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).optional().describe(`${DEFAULT_ENTRIES} without it.`),
  cursor: z.string().max(100).optional().describe('`nextCursor` of the page before.'),
});

const AuditEntry = z
  .strictObject({
    id: z.string(),
    at: z.string(),
    user: z.string().nullable(),
    userLabel: UserLabel,
    via: z.string(),
    address: z.string(),
    kind: z.enum(AUDIT_KINDS),
    action: z.string(),
    outcome: z.string(),
    target: z.string().nullable(),
    viewer: z
      .string()
      .nullable()
      .describe('The viewer of an embed, or the role and the attributes that an administrator viewed as.'),
    rows: z.number().nullable(),
    durationMs: z.number().nullable(),
    requestId: z.string(),
  })
  .meta({ id: 'AuditEntry' });

const AuditPage = z
  .strictObject({ entries: z.array(AuditEntry), nextCursor: z.string().optional() })
  .meta({ id: 'AuditPage' });

export interface AuditSurfaceOptions {
  readonly state: State;
  /** Writes the waiting entries, so that the answer contains everything before the request. */
  readonly flush: () => Promise<void>;
  /** The operators' tenant: its administrators also see entries without a tenant. */
  readonly operators: TenantId;
  readonly keyLabels: KeyLabels;
}

export function auditPlugin({ state, flush, operators, keyLabels }: AuditSurfaceOptions) {
  return plugin({
    name: 'audit',
    title: 'Audit log',
    errorFormat: standardErrorFormat,
    migrations: auditMigrations,
    router: operations({
      list: operation({
        summary: 'Read the audit log of the tenant, newest entries first',
        description:
          'Sign-ins, API keys, tokens, grants, queries, refusals and changes. Administrators of the default tenant also see entries without a tenant, such as failed sign-ins.',
        implementationChoice: 'Path and payload of the administrative interface are a choice of this product.',
        access: 'administrator',
        rest: {
          method: 'GET',
          path: '/rest/service/api/admin/audit',
          query: ['from', 'to', 'kind', 'user', 'action', 'outcome', 'address', 'limit', 'cursor'],
        },
      })
        .input(AuditQuery)
        .output(AuditPage)
        .query(async ({ ctx, input }) => {
          await flush();
          const { tenant } = userOf(ctx);
          const { from, to, kind, user, action, outcome, address, limit = DEFAULT_ENTRIES, cursor } = input;
          if (cursor !== undefined && !/^\d{15}-\d{6}-[0-9a-f]{8}$/.test(cursor))
            throw ValidationError.at(['cursor'], 'This is not a cursor of this service.');
          let query = state
            .tables<AuditTables>()
            .selectFrom('audit_log')
            .selectAll()
            .where((row) =>
              tenant === operators
                ? row.or([row('tenant_id', '=', tenant), row('tenant_id', 'is', null)])
                : row('tenant_id', '=', tenant),
            )
            .orderBy('id', 'desc')
            .limit(limit + 1);
          if (from !== undefined) query = query.where('at', '>=', Date.parse(from));
          if (to !== undefined) query = query.where('at', '<', Date.parse(to));
          if (cursor !== undefined) query = query.where('id', '<', cursor);
          const labels = await keyLabels(tenant);
          if (user !== undefined) {
            const named = [...labels].filter(([, label]) => label === user).map(([key]) => key);
            query = query.where('actor', 'in', [user, ...named]);
          }
          for (const [column, value] of Object.entries({ kind, action, outcome, address }))
            if (value !== undefined) query = query.where(column as 'kind', '=', value as 'QUERY');
          const rows = await query.execute();
          const page = rows.slice(0, limit);
          const last = page.at(-1);
          return {
            entries: page.map((row) => ({
              id: row.id,
              at: new Date(row.at).toISOString(),
              user: row.actor,
              ...labelOf(row.actor, labels),
              via: row.via,
              address: row.address,
              kind: row.kind,
              action: row.action,
              outcome: row.outcome,
              target: row.target,
              viewer: row.viewer,
              rows: row.row_count,
              durationMs: row.duration_ms,
              requestId: row.request_id,
            })),
            ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}),
          };
        }),
    }),
  });
}
