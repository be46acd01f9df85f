import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { onEveryEngine } from '../state/testing/engines.ts';
import type { IdentityTables } from './tables.ts';
import { HOUR, MINUTE, type Node, node } from './testing/fixture.ts';

onEveryEngine((state) => {
  async function annSignedIn(): Promise<Node & { readonly id: string }> {
    const made = await node(state);
    const ann = await made.identity.users.add({ tenant: made.tenant, name: 'ann', password: 'p', roles: ['A', 'B'] });
    return { ...made, id: (await made.identity.sessions.create(ann)).id };
  }

  it('resolves a session to its user, on every node', async () => {
    const { id, tenant, clock } = await annSignedIn();
    const other = await node(state, { clock });
    expect(await other.identity.sessions.resolve(id)).toEqual({
      kind: 'user',
      via: 'session',
      tenant,
      user: 'ann',
      roles: ['A', 'B'],
      attributes: {},
      isAccount: true,
    });
  });

  it('has 256 random bits, and only their SHA-256 is stored', async () => {
    const { id, store } = await annSignedIn();
    expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    const row = await store.tables<IdentityTables>().selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    expect(row.id_hash).toBe(createHash('sha256').update(id).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(id);
  });

  it('an id that it did not issue resolves to no session', async () => {
    const { identity, id } = await annSignedIn();
    for (const other of ['', 'x', 'a\u0000b', `${'A'.repeat(42)}'`, 'A'.repeat(43), 'A'.repeat(10_000), `${id} `]) {
      expect(await identity.sessions.resolve(other), JSON.stringify(other)).toBeUndefined();
      await identity.sessions.end(other);
    }
    expect(await identity.sessions.resolve(id)).toBeDefined();
  });

  it('ends twelve hours after the last request', async () => {
    const { identity, id, clock } = await annSignedIn();
    clock.now += 12 * HOUR - 1;
    expect(await identity.sessions.resolve(id)).toBeDefined();
    clock.now += 12 * HOUR - 1;
    expect(await identity.sessions.resolve(id)).toBeDefined();
    clock.now += 12 * HOUR;
    expect(await identity.sessions.resolve(id)).toBeUndefined();
  });

  it('ends seven days after it began, however busy it is', async () => {
    const { identity, id, clock } = await annSignedIn();
    const began = clock.now;
    for (let hours = 6; hours < 7 * 24; hours += 6) {
      clock.now = began + hours * HOUR;
      expect(await identity.sessions.resolve(id)).toBeDefined();
    }
    clock.now = began + 7 * 24 * HOUR - 1;
    expect(await identity.sessions.resolve(id)).toBeDefined();
    clock.now = began + 7 * 24 * HOUR;
    expect(await identity.sessions.resolve(id)).toBeUndefined();
  });

  it('records the last request at most once a minute', async () => {
    const { identity, id, clock, store } = await annSignedIn();
    const began = clock.now;
    const seen = async () =>
      (await store.tables<IdentityTables>().selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow())
        .last_seen_at;
    clock.now = began + MINUTE - 1;
    await identity.sessions.resolve(id);
    expect(await seen()).toBe(began);
    clock.now = began + MINUTE;
    await identity.sessions.resolve(id);
    expect(await seen()).toBe(began + MINUTE);
  });

  it("ends at logout, and the user's other sessions stay", async () => {
    const { identity, id, tenant } = await annSignedIn();
    const ann = await identity.users.find(tenant, 'ann');
    if (ann === undefined) throw new Error('ann is missing');
    const second = await identity.sessions.create(ann);
    await identity.sessions.end(id);
    expect(await identity.sessions.resolve(id)).toBeUndefined();
    expect(await identity.sessions.resolve(second.id)).toBeDefined();
  });

  it('ends when the password changes', async () => {
    const { identity, id, tenant } = await annSignedIn();
    await identity.users.passwd(tenant, 'ann', 'q');
    expect(await identity.sessions.resolve(id)).toBeUndefined();
  });

  it('does not start with a password that changes between its check and the start', async () => {
    const { identity, tenant } = await annSignedIn();
    const checked = await identity.users.verify(tenant, 'ann', 'p');
    if (checked === undefined) throw new Error('ann is missing');
    await identity.users.passwd(tenant, 'ann', 'q');
    const { id } = await identity.sessions.create(checked);
    expect(await identity.sessions.resolve(id)).toBeUndefined();
  });

  it('ends when the user is removed, and a new user of that name does not get it back', async () => {
    const { identity, id, tenant } = await annSignedIn();
    await identity.users.remove(tenant, 'ann');
    await identity.users.add({ tenant, name: 'ann', password: 'p' });
    expect(await identity.sessions.resolve(id)).toBeUndefined();
  });

  it("has the user's current roles", async () => {
    const { identity, id, tenant } = await annSignedIn();
    await identity.users.grant(tenant, 'ann', 'C');
    expect((await identity.sessions.resolve(id))?.roles).toEqual(['A', 'B', 'C']);
  });

  it('deletes expired sessions from the store when a later one starts', async () => {
    const { identity, tenant, clock, store } = await annSignedIn();
    clock.now += 13 * HOUR;
    const ann = await identity.users.find(tenant, 'ann');
    if (ann === undefined) throw new Error('ann is missing');
    await identity.sessions.create(ann);
    expect(await store.tables<IdentityTables>().selectFrom('sessions').select('id_hash').execute()).toHaveLength(1);
  });

  describe('of a user', () => {
    async function annWith(maxSessions: number) {
      const made = await node(state, { maxSessions });
      const ann = await made.identity.users.add({ tenant: made.tenant, name: 'ann', password: 'p' });
      const bob = await made.identity.users.add({ tenant: made.tenant, name: 'bob', password: 'p' });
      /** Starts sessions one millisecond after another; the first is the oldest. */
      const begin = async (count: number, user = ann) => {
        const ids: string[] = [];
        for (let i = 0; i < count; i++) {
          made.clock.now += 1;
          ids.push((await made.identity.sessions.create(user)).id);
        }
        return ids;
      };
      const live = async (ids: readonly string[]) => {
        const callers = await Promise.all(ids.map((id) => made.identity.sessions.resolve(id)));
        return callers.map((caller) => caller !== undefined);
      };
      return { ...made, ann, bob, begin, live };
    }

    it('are limited, and the oldest end first', async () => {
      const { begin, live } = await annWith(3);
      const ids = await begin(5);
      expect(await live(ids)).toEqual([false, false, true, true, true]);
    });

    it('end no session of another user', async () => {
      const { begin, live, bob } = await annWith(2);
      const ofBob = await begin(2, bob);
      await begin(6);
      expect(await live(ofBob)).toEqual([true, true]);
    });

    it('do not count after they have expired', async () => {
      const { begin, live, clock } = await annWith(3);
      const busy = await begin(1);
      const idle = await begin(2);
      for (let hours = 0; hours < 12; hours += 4) {
        clock.now += 4 * HOUR;
        await live(busy);
      }
      const later = await begin(2);
      expect(await live([...busy, ...idle, ...later])).toEqual([true, false, false, true, true]);
    });

    it('started in the same millisecond keep the newest', async () => {
      const { identity, ann, live } = await annWith(1);
      for (let i = 0; i < 5; i++) {
        const { id } = await identity.sessions.create(ann);
        expect(await live([id])).toEqual([true]);
      }
    });

    it('are unlimited with the setting 0, and limited to 100 by default', async () => {
      const unbounded = await annWith(0);
      expect(await unbounded.live(await unbounded.begin(101))).not.toContain(false);
      const made = await node(state);
      const carl = await made.identity.users.add({ tenant: made.tenant, name: 'carl', password: 'p' });
      const ids: string[] = [];
      for (let i = 0; i < 101; i++) {
        made.clock.now += 1;
        ids.push((await made.identity.sessions.create(carl)).id);
      }
      const callers = await Promise.all(ids.map((id) => made.identity.sessions.resolve(id)));
      expect(callers.findIndex((caller) => caller !== undefined)).toBe(1);
    });
  });
});
