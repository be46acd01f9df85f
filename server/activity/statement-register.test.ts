import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { OperationActivity } from '../../router/capabilities/observer.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { sqliteLibrary } from '../sqlite/library.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { writeDuckdb } from '../warehouse/testing/engines.ts';
import { StatementRegister } from './statement-register.ts';
import { activityMigrations } from './tables.ts';

const ACME = 'acme' as TenantId;
const OTHER = 'other' as TenantId;

const byAnn: OperationActivity = {
  kind: 'operation',
  operation: 'semantic.query',
  access: 'user',
  writes: false,
  caller: { kind: 'user', via: 'session', tenant: ACME, user: 'ann', roles: [] },
  address: '192.0.2.1',
  requestId: 'r',
  input: async () => undefined,
};

const statement = (sql: string, plan = 'SCAN sales') => ({
  engine: 'duckdb',
  warehouse: 'shop.duckdb',
  sql,
  plan: async () => plan,
});

onEveryEngine((fixture) => {
  const start = async () => {
    const state = await fixture.open({ activity: activityMigrations });
    const clock = { now: 1_790_000_000_000 };
    const node = () => new StatementRegister({ state, clock: () => clock.now, log: silentLog, slowMs: 2_000 });
    return { clock, node: node(), otherNode: node() };
  };
  const listed = async (node: StatementRegister, tenant: TenantId) =>
    (await node.running(tenant, false)).map(({ sql }) => sql);

  it('lists statements from one second on, to the administrators of their tenant alone, on every node', async () => {
    const { clock, node, otherNode } = await start();
    const long = await node.around(byAnn, async () => node.begin(statement('select 1')));
    await node.report();
    expect(await listed(node, ACME)).toEqual([]);
    clock.now += 1_000;
    await node.report();
    expect(await listed(otherNode, ACME)).toEqual(['select 1']);
    expect(await otherNode.running(ACME, false)).toMatchObject([
      { actor: 'ann', operation: 'semantic.query', warehouse: 'shop.duckdb' },
    ]);
    expect(await listed(otherNode, OTHER)).toEqual([]);
    long.end();
    await node.close();
    // Shorter than two seconds: it leaves nothing.
    expect(await listed(otherNode, ACME)).toEqual([]);
    expect(await node.slow(ACME, false, 10)).toEqual([]);
  });

  it('stops a statement that another node runs, and not for another tenant', async () => {
    const { clock, node, otherNode } = await start();
    const long = await node.around(byAnn, async () => node.begin(statement('select 1')));
    clock.now += 1_000;
    await node.report();
    const [{ id = '' } = {}] = await otherNode.running(ACME, false);
    expect(await otherNode.cancel(id, OTHER, false)).toBe(false);
    await node.report();
    expect(long.signal.aborted).toBe(false);
    expect(await otherNode.cancel(id, ACME, false)).toBe(true);
    await node.report();
    expect(long.signal.aborted).toBe(true);
    long.end();
    await node.close();
    expect(await otherNode.cancel(id, ACME, false)).toBe(false);
  });

  it('keeps slow statements with their plan and outcome; the process’s own are for the operators', async () => {
    const { clock, node } = await start();
    const slow = await node.around(byAnn, async () => node.begin(statement('select slow')));
    const own = node.begin(statement('select own'));
    clock.now += 2_000;
    slow.end(new Error('odd'));
    own.end();
    await node.close();
    expect(await node.slow(ACME, false, 10)).toMatchObject([
      { sql: 'select slow', plan: 'SCAN sales', outcome: 'EXECUTION_ERROR', ended_at: clock.now },
    ]);
    expect((await node.slow(ACME, true, 10)).map(({ sql }) => sql).toSorted()).toEqual(['select own', 'select slow']);
    expect(await node.slow(OTHER, false, 10)).toEqual([]);
  });

  it('a statement of a dead node is no longer listed', async () => {
    const { clock, node, otherNode } = await start();
    await node.around(byAnn, async () => node.begin(statement('select 1')));
    clock.now += 1_000;
    await node.report();
    clock.now += 60_000;
    expect(await listed(otherNode, ACME)).toEqual([]);
    await node.close();
  });
});

it.each(['duckdb', 'sqlite'])(
  'a running statement of %s is stopped, and its plan has no value of the caller',
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'service-activity-'));
    const begun: { readonly controller: AbortController; readonly plan: () => Promise<string>; error?: unknown }[] = [];
    const warehouses = openWarehouses({
      statementTimeoutMs: 60_000,
      poolSize: 1,
      home: folder,
      log: silentLog,
      statements: {
        begin({ plan }) {
          const entry: (typeof begun)[number] = { controller: new AbortController(), plan };
          begun.push(entry);
          return {
            signal: entry.controller.signal,
            end: (error) => {
              entry.error = error;
            },
          };
        },
      },
    });
    const file = join(folder, 'shop.db');
    if (engine === 'duckdb') await writeDuckdb(file, ['CREATE TABLE t (i INTEGER)']);
    else new (sqliteLibrary())(file).exec('CREATE TABLE t (i INTEGER)').close();
    const warehouse = await warehouses.open({ jdbcUrl: `jdbc:${engine}:${file}` });
    const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n WHERE 'x' <> ${engine === 'duckdb' ? '$1::VARCHAR' : '?'}`;
    const running = warehouse.query(
      { sql: endless, parameters: [{ type: 'text', value: 'another-secret' }] },
      { maxRows: 1 },
    );
    begun[0]?.controller.abort();
    await expect(running).rejects.toMatchObject({ kind: 'CANCELLED' });
    expect(begun).toMatchObject([{ error: { kind: 'CANCELLED' } }]);
    const plan = (await begun[0]?.plan()) ?? '';
    expect(plan.length).toBeGreaterThan(0);
    expect(plan).not.toContain('another-secret');
    await warehouses.close();
    rmSync(folder, { recursive: true, force: true });
  },
);
