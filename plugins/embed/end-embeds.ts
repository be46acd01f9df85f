import { z } from 'zod';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { DocumentKind } from '../repository/index.ts';
import type { Resource } from './schemas.ts';
import type { EmbedTables } from './tables.ts';

/** What ended with a document: the ids of tokens, and the rows of grants. */
export const EndedEmbeds = z.object({
  tokens: z.array(z.string()),
  grants: z.array(
    z.object({
      id: z.string(),
      tenant_id: z.string(),
      owner: z.string(),
      owner_roles: z.string(),
      resource_kind: DocumentKind,
      resource_path: z.string(),
      label: z.string().nullable(),
      created_at: z.number(),
    }),
  ),
});
export type EndedEmbeds = z.infer<typeof EndedEmbeds>;

/** Ends the tokens and the public grant of a document that is gone: a later document of its name is another one. */
export async function endEmbedsOfDocument(
  state: State,
  clock: Clock,
  tenant: TenantId,
  { kind, path }: Resource,
): Promise<EndedEmbeds> {
  return state
    .tables<EmbedTables>()
    .transaction()
    .execute(async (transaction) => {
      const tokens = await transaction
        .selectFrom('embed_tokens')
        .select('id')
        .where('tenant_id', '=', tenant)
        .where('resource_kind', '=', kind)
        .where('resource_path', '=', path)
        .where('revoked_at', 'is', null)
        .execute();
      await transaction
        .updateTable('embed_tokens')
        .set({ revoked_at: clock() })
        .where('tenant_id', '=', tenant)
        .where('resource_kind', '=', kind)
        .where('resource_path', '=', path)
        .where('revoked_at', 'is', null)
        .execute();
      const grants = await transaction
        .selectFrom('public_grants')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .where('resource_kind', '=', kind)
        .where('resource_path', '=', path)
        .execute();
      await transaction
        .deleteFrom('public_grants')
        .where('tenant_id', '=', tenant)
        .where('resource_kind', '=', kind)
        .where('resource_path', '=', path)
        .execute();
      return { tokens: tokens.map(({ id }) => id), grants };
    });
}

/** Lets tokens and grants open their documents again, after the documents are back. */
export async function restoreEmbeds(state: State, tenant: TenantId, { tokens, grants }: EndedEmbeds): Promise<void> {
  await state
    .tables<EmbedTables>()
    .transaction()
    .execute(async (transaction) => {
      if (tokens.length > 0)
        await transaction
          .updateTable('embed_tokens')
          .set({ revoked_at: null })
          .where('tenant_id', '=', tenant)
          .where('id', 'in', tokens)
          .execute();
      const own = grants.filter(({ tenant_id }) => tenant_id === tenant);
      if (own.length > 0)
        await transaction
          .insertInto('public_grants')
          .values(own)
          .onConflict((conflict) => conflict.doNothing())
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
