import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { type EmbedTables, scopeOf, scopeOfToken } from './tables.ts';

/** A token or a public grant that opens a document now. */
export interface OpenEmbed {
  readonly kind: 'token' | 'public-grant';
  readonly id: string;
  readonly label: string | undefined;
  readonly path: string;
  /** The identity that its reads have. */
  readonly scope: Scope;
}

/** Lists the active tokens and the public grants of a tenant. */
export async function embedsOf(state: State, clock: Clock, tenant: TenantId): Promise<readonly OpenEmbed[]> {
  const tables = state.tables<EmbedTables>();
  const tokens = await tables
    .selectFrom('embed_tokens')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock())
    .orderBy('created_at')
    .execute();
  const grants = await tables.selectFrom('public_grants').selectAll().where('tenant_id', '=', tenant).execute();
  return [
    ...tokens.map((row) => ({ ...row, kind: 'token' as const, scope: scopeOfToken(row) })),
    ...grants.map((row) => ({ ...row, kind: 'public-grant' as const, scope: scopeOf(row) })),
  ].map((row) => ({
    kind: row.kind,
    id: row.id,
    label: row.label ?? undefined,
    path: row.resource_path,
    scope: row.scope,
  }));
}
