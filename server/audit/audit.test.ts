import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller, TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { NotFoundError, UnauthenticatedError, UnavailableError } from '../../router/errors.ts';
import { createCallerFactory, type OperationContext, operation, operations } from '../../router/operation.ts';
import { plugin, routersOf } from '../../router/plugin.ts';
import { Reply } from '../../router/reply.ts';
import { openLog } from '../log/log.ts';
import type { StateStore } from '../state/index.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { AuditLog } from './audit-log.ts';
import { auditPlugin } from './operations.ts';
import type { AuditTables } from './tables.ts';
import { auditMigrations } from './tables.ts';

const log = openLog('silent');
const user = (tenant: string, name: string, roles: readonly string[] = []): UserCaller => ({
  kind: 'user',
  via: 'api-key',
  tenant: tenant as TenantId,
  user: name,
  roles,
});
const SECRET = 'value-of-a-filter';

const toy = plugin({
  name: 'semantic',
  title: 'Toy',
  errorFormat: standardErrorFormat,
  router: operations({
    query: operation({ summary: 'q', access: 'user', rest: { method: 'POST', path: '/q', body: '*' } })
      .input(z.strictObject({ connection: z.string(), model: z.string(), filter: z.string() }))
      .output(z.unknown())
      .query(({ input }) => {
        if (input.model === 'none') throw new NotFoundError('no model');
        return { records: [1, 2, 3], filter: input.filter };
      }),
    models: operation({ summary: 'm', access: 'user', rest: { method: 'GET', path: '/m' } })
      .output(z.unknown())
      .query(() => []),
    change: operation({ summary: 'c', access: 'administrator', rest: { method: 'POST', path: '/c', body: '*' } })
      .input(z.strictObject({ name: z.string(), password: z.string() }))
      .output(z.unknown())
      .mutation(() => null),
    shared: operation({ summary: 's', access: 'embed', rest: { method: 'POST', path: '/s', body: '*' } })
      .input(z.strictObject({ path: z.string() }))
      .output(z.unknown())
      .mutation(({ ctx }) => {
        ctx.actsFor?.(user('acme', 'owner'));
        return null;
      }),
  }),
});

const blank = {
  tenant_id: 'ops',
  actor: null,
  via: 'session',
  address: '',
  kind: 'CHANGE',
  action: 'test',
  outcome: 'OK',
  target: null,
  viewer: null,
  row_count: null,
  duration_ms: null,
  request_id: '',
} as const;

onEveryEngine((fixture) => {
  let state: StateStore;
  let now: number;
  let audit: AuditLog;
  let call: (caller: Caller) => ReturnType<ReturnType<typeof callers>>;

  function callers() {
    const surface = auditPlugin({
      state,
      flush: () => audit.flush(),
      operators: 'ops' as TenantId,
      keyLabels: async (of) => new Map(of === 'ops' ? [['api-key:7', 'nightly report']] : []),
    });
    return createCallerFactory(operations(routersOf([toy, surface] as const)));
  }

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    state = await fixture.open({ audit: auditMigrations });
    audit = new AuditLog({ state, clock: () => now, log, keepMs: 86_400_000 });
    const factory = callers();
    call = (caller) =>
      factory({
        caller,
        csrfVerified: true,
        jsonBody: true,
        embedToken: undefined,
        address: '192.0.2.7',
        secure: true,
        requestId: 'r-1',
        cookies: {},
        reply: new Reply(),
        observer: audit,
      } satisfies OperationContext);
  });

  afterEach(() => audit.close());

  const admin = user('ops', 'root', ['ROLE_ADMIN']);
  const entries = async (caller: Caller, filter: object = {}) => (await call(caller).audit.list(filter)).entries;

  test('the entry of a query names user, target, row count and outcome, and no value', async () => {
    await call(user('ops', 'ann')).semantic.query({ connection: 'shop', model: 'sales', filter: SECRET });
    await expect(
      call(user('ops', 'ann')).semantic.query({ connection: 'shop', model: 'none', filter: SECRET }),
    ).rejects.toThrow('no model');
    const [failed, answered] = await entries(admin, { user: 'ann' });
    expect(answered).toMatchObject({
      user: 'ann',
      via: 'api-key',
      address: '192.0.2.7',
      kind: 'QUERY',
      action: 'semantic.query',
      outcome: 'OK',
      target: 'connection=shop model=sales',
      rows: 3,
      requestId: 'r-1',
    });
    expect(failed).toMatchObject({ outcome: 'NOT_FOUND', target: 'connection=shop model=none', rows: null });
    expect(JSON.stringify([failed, answered])).not.toContain(SECRET);
  });

  test('an entry of an API key has the label of the key, which the filter by users takes too', async () => {
    await call(user('ops', 'api-key:7')).semantic.query({ connection: 'shop', model: 'sales', filter: SECRET });
    await call(user('ops', 'ann')).semantic.query({ connection: 'shop', model: 'sales', filter: SECRET });
    const [byLabel, ...others] = await entries(admin, { user: 'nightly report' });
    expect(byLabel).toMatchObject({ user: 'api-key:7', userLabel: 'nightly report' });
    expect(others).toEqual([]);
    expect((await entries(admin, { user: 'ann' }))[0]).not.toHaveProperty('userLabel');
  });

  test('reading metadata makes no entry, and a refused read makes one', async () => {
    await call(user('ops', 'reader')).semantic.models();
    await expect(call({ kind: 'anonymous' }).semantic.models()).rejects.toThrow();
    expect(await entries(admin, { user: 'reader' })).toEqual([]);
    expect(await entries(admin, { kind: 'REFUSAL' })).toMatchObject([
      { user: null, via: 'anonymous', action: 'semantic.models', outcome: expect.stringMatching(/^UNAUTH/) },
    ]);
  });

  test('an administrative change is recorded without its secrets, and a refused change is recorded as a refusal', async () => {
    await call(admin).semantic.change({ name: 'shop', password: SECRET });
    await expect(call(user('ops', 'eve')).semantic.change({ name: 'x', password: SECRET })).rejects.toThrow();
    const [entry] = await entries(admin, { kind: 'ADMINISTRATION' });
    expect(entry).toMatchObject({ user: 'root', target: 'name=shop', outcome: 'OK' });
    expect(JSON.stringify(await entries(admin))).not.toContain(SECRET);
    expect(await entries(admin, { user: 'eve' })).toMatchObject([{ kind: 'REFUSAL', outcome: 'FORBIDDEN' }]);
  });

  test('a read on behalf of an owner belongs to the owner’s tenant', async () => {
    await call({ kind: 'anonymous' }).semantic.shared({ path: 'shared/a.service' });
    const acme = user('acme', 'boss', ['ROLE_ADMIN']);
    expect(await entries(acme)).toMatchObject([{ user: null, via: 'embed', target: 'path=shared/a.service' }]);
    expect(await entries(admin, { action: 'semantic.shared' })).toEqual([]);
  });

  test('invalid credentials are a failed sign-in without a tenant', async () => {
    const activity = { kind: 'authentication', scheme: 'bearer', address: '192.0.2.9', requestId: 'r-2' } as const;
    await expect(audit.around(activity, () => Promise.reject(new UnauthenticatedError()))).rejects.toThrow();
    await audit.around(activity, async () => 1);
    expect(await entries(admin, { address: '192.0.2.9' })).toMatchObject([
      { kind: 'SIGN_IN', action: 'authenticate', via: 'bearer', outcome: expect.stringMatching(/^UNAUTH/) },
    ]);
    expect(await entries(user('acme', 'boss', ['ROLE_ADMIN']), { address: '192.0.2.9' })).toEqual([]);
  });

  test('only administrators read the audit log', async () => {
    await expect(call(user('ops', 'ann')).audit.list({})).rejects.toThrow('administrator');
    await expect(call({ kind: 'anonymous' }).audit.list({})).rejects.toThrow();
  });

  test('pages go from the newest entry to the oldest, each entry once, within a time range', async () => {
    now = Date.UTC(2026, 0, 1, 12);
    for (let n = 0; n < 450; n++) audit.record({ ...blank, actor: 'pager', target: String(n) });
    now += 1_000;
    audit.record({ ...blank, actor: 'pager', target: 'later' });
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await call(admin).audit.list({
        user: 'pager',
        from: '2026-01-01T12:00:00Z',
        to: '2026-01-01T13:00:01+01:00',
        limit: 200,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.entries.map(({ target }) => target));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 450 }, (_, n) => String(449 - n)));
  });

  test.each([
    [{ limit: 501 }],
    [{ limit: 0 }],
    [{ cursor: "' or 1=1" }],
    [{ from: 'yesterday' }],
    [{ kind: 'NOTHING' }],
  ])('%j is refused', async (filter) => {
    await expect(call(admin).audit.list(filter as never)).rejects.toThrow();
  });

  test('entries older than the retention time are deleted, and later entries stay', async () => {
    // More entries than one batch of the deletion.
    for (let n = 0; n < 1_200; n++) audit.record({ ...blank, actor: 'pager' });
    now += 1_000;
    audit.record({ ...blank, actor: 'pager', target: 'later' });
    await audit.flush();
    now += 86_400_000 - 1_000;
    expect(await audit.purge()).toBe(1_200);
    expect(await entries(admin, { user: 'pager' })).toMatchObject([{ target: 'later' }]);
  });

  test('entries wait while the state is unavailable, and a stop loses none', async () => {
    let isAway = true;
    const away: StateStore = {
      ...state,
      tables: <Tables>() => {
        if (isAway) throw new UnavailableError('away', { code: 'STATE_UNAVAILABLE', retryAfterSeconds: 1 });
        return state.tables<Tables>();
      },
    };
    const patient = new AuditLog({ state: away, clock: () => now, log, keepMs: 0 });
    for (let n = 0; n < 5; n++) patient.record({ ...blank, actor: 'patient' });
    await expect(patient.flush()).rejects.toThrow('away');
    expect(patient.use).toEqual({ written: 0, waiting: 5 });
    const closing = patient.close();
    isAway = false;
    await closing;
    expect(await entries(admin, { user: 'patient' })).toHaveLength(5);
  });

  test('the number of waiting entries is bounded: the oldest are dropped first', async () => {
    const small = new AuditLog({ state, clock: () => now, log, keepMs: 0, maxWaiting: 3 });
    for (let n = 0; n < 10; n++) small.record({ ...blank, actor: 'small', target: String(n) });
    await small.close();
    expect((await entries(admin, { user: 'small' })).map(({ target }) => target)).toEqual(['9', '8', '7']);
  });

  test('an entry written while its tenant is being removed is removed, too', async () => {
    const [leaving, staying] = ['leaving' as TenantId, 'ops' as TenantId];
    let looks = 0;
    // The tenant exists before the write and is gone after it.
    const tenantsAmong = async () => new Set(looks++ === 0 ? [leaving, staying] : [staying]);
    const racing = new AuditLog({ state, clock: () => now, log, keepMs: 0, tenantsAmong });
    for (const tenant_id of [leaving, staying]) racing.record({ ...blank, tenant_id, actor: 'racer' });
    await racing.close();
    const left = await state
      .tables<AuditTables>()
      .selectFrom('audit_log')
      .where('actor', '=', 'racer')
      .select('tenant_id');
    expect(await left.execute()).toEqual([{ tenant_id: 'ops' }]);
  });
});
