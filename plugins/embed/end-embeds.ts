import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Resource } from './schemas.ts';
import type { EmbedTables } from './tables.ts';

/** Ends the tokens and the public grant of a document that is gone: a later document of its name is another one. */
export async function endEmbedsOfDocument(
  state: State,
  clock: Clock,
  tenant: TenantId,
  { kind, path }: Resource,
): Promise<void> {
  await state
    .tables<EmbedTables>()
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .updateTable('embed_tokens')
        .set({ revoked_at: clock() })
        .where('tenant_id', '=', tenant)
        .where('resource_kind', '=', kind)
        .where('resource_path', '=', path)
        .where('revoked_at', 'is', null)
        .execute();
      await transaction
        .deleteFrom('public_grants')
        .where('tenant_id', '=', tenant)
        .where('resource_kind', '=', kind)
        .where('resource_path', '=', path)
        .execute();
    });
}

/**
 * Removes the embeds of a deleted user, and ends the embeds of documents in the user's folder by others. A later user
 * of the same name inherits nothing.
 */
export async function endEmbedsOfUser(state: State, tenant: TenantId, user: string): Promise<void> {
  const folder = `homes/${user}/`;
  await state
    .tables<EmbedTables>()
    .transaction()
    .execute(async (transaction) => {
      for (const table of ['embed_tokens', 'public_grants'] as const) {
        const rows = await transaction
          .selectFrom(table)
          .select(['id', 'owner', 'resource_path'])
          .where('tenant_id', '=', tenant)
          .execute();
        const ended = rows.filter(({ owner, resource_path }) => owner === user || resource_path.startsWith(folder));
        for (const { id } of ended) await transaction.deleteFrom(table).where('id', '=', id).execute();
      }
      await transaction.deleteFrom('embed_owners').where('tenant_id', '=', tenant).where('owner', '=', user).execute();
    });
}
