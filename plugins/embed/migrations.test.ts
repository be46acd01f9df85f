import { expect, it } from 'vitest';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { embedMigrations } from './migrations.ts';
import type { EmbedTables } from './tables.ts';

const FIRST = '0001_embed_tokens_and_public_grants';

onEveryEngine((state) => {
  it('public grants stay when each tenant gets its own', async () => {
    const { [FIRST]: first, ...later } = embedMigrations;
    if (first === undefined) throw new Error('there is no first migration');
    const store = await state.open({ embed: { [FIRST]: first } });
    const grants = store.tables<EmbedTables>();
    const row = { resource_kind: 'query', label: null, owner: 'ana', owner_roles: '["ROLE_USER"]' } as const;
    const rows = ['a', 'b'].map((id) => ({
      ...row,
      id,
      tenant_id: 'one',
      resource_path: `shared/${id}.service`,
      created_at: 1_790_000_000_007,
    }));
    await grants.insertInto('public_grants').values(rows).execute();

    await store.migrate({ embed: { [FIRST]: first, ...later } });

    expect(await grants.selectFrom('public_grants').selectAll().orderBy('id').execute()).toEqual(
      rows.map((each) => ({ ...each, owner_attributes: null })),
    );
    const ofAnother = { ...row, id: 'c', tenant_id: 'two', resource_path: 'shared/a.service', created_at: 8 };
    await grants.insertInto('public_grants').values(ofAnother).execute();
    await expect(
      grants
        .insertInto('public_grants')
        .values({ ...ofAnother, id: 'd' })
        .execute(),
    ).rejects.toThrow();
  });
});
