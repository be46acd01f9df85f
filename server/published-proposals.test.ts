/** A proposal of two cubes, published by the whole process over every engine: the answer has what became of each datasource. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../router/testing/silent-log.ts';
import { openIdentity } from './identity/index.ts';
import { CHEAP } from './identity/testing/fixture.ts';
import { placesOf } from './tenants/tenant-folders.ts';
import { startWorld, type World } from './tenants/testing/world.ts';
import { describeEngines } from './warehouse/testing/describe-engines.ts';
import { startWarehouse } from './warehouse/testing/engines.ts';

const SHOP = [
  'CREATE TABLE customers (customer_id INTEGER NOT NULL, city VARCHAR(20))',
  "INSERT INTO customers VALUES (1, 'Rome'), (2, 'Oslo')",
  'CREATE TABLE orders (order_id INTEGER NOT NULL, customer_id INTEGER, amount DECIMAL(10,2), ordered DATE)',
  "INSERT INTO orders VALUES (10, 1, 5.50, '2024-01-31'), (11, 1, 7.25, '2024-02-29'), (12, 2, 100.00, '2024-03-01'), (13, 2, 1.00, '2024-03-02')",
  'CREATE TABLE returns (return_id INTEGER NOT NULL, customer_id INTEGER, refund DECIMAL(10,2), returned DATE)',
  "INSERT INTO returns VALUES (20, 1, 5.50, '2024-02-10'), (21, 2, 9.00, '2024-03-11'), (22, 2, 3.00, '2024-03-12')",
];

let world: World;
let key: string;
beforeAll(async () => {
  world = await startWorld(undefined);
  const identity = await openIdentity({ state: world.state, clock: Date.now, log: silentLog, hashCost: CHEAP });
  key = (await identity.apiKeys.create({ tenant: world.tenants.default.id, label: 'x', roles: ['ROLE_ADMIN'] })).key;
});
afterAll(() => world?.close());

async function call(request: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const Cube = z.looseObject({ name: z.string(), factTableName: z.string() });
const Proposed = z.object({ proposal: z.looseObject({ cubes: z.array(Cube) }) });

describeEngines(
  'on $engine',
  (engine) => {
    it('is served as cubes and one model, and a model over a missing table is reported with the reason', async () => {
      const started = await startWarehouse(engine, SHOP, { poolSize: 2 });
      try {
        let { jdbcUrl: url } = started.address;
        if (engine === 'duckdb' || engine === 'sqlite') {
          // Connections name files of the server's data folder only.
          const file = join(placesOf(world.home, undefined).data, `shop-${engine}`);
          copyFileSync(url.slice(`jdbc:${engine}:`.length), file);
          url = `jdbc:${engine}:${file}`;
        }
        const { username, password } = started.address;
        const connection = await call('POST /me/connections', { name: engine, url, username, password });
        expect(connection).toMatchObject({ status: 201 });
        const { id } = z.looseObject({ id: z.string() }).parse(connection.body);
        const { body: profile } = await call(`POST /me/inference/profile/connection/${id}`);
        const { proposal } = Proposed.parse((await call('POST /me/inference/propose', { profile })).body);
        expect(proposal.cubes.map(({ factTableName }) => factTableName).toSorted()).toEqual(['orders', 'returns']);

        const published = await call('POST /me/inference/publish', { proposal, connectionId: id, name: engine });
        expect(published).toMatchObject({
          status: 201,
          body: {
            datasources: [
              { name: engine, as: 'cube', status: 'READY', problems: [] },
              { name: `${engine}-model`, as: 'semantic', status: 'READY', problems: [] },
            ],
          },
        });
        const cubes = proposal.cubes.map((cube) =>
          cube.factTableName === 'returns'
            ? Cube.parse(JSON.parse(JSON.stringify(cube).replaceAll('"returns"', '"nowhere"')))
            : cube,
        );
        const broken = await call('POST /me/inference/publish', {
          proposal: { ...proposal, cubes },
          connectionId: id,
          name: `${engine}-broken`,
        });
        expect(broken).toMatchObject({
          status: 201,
          body: {
            datasources: [
              {
                name: `${engine}-broken`,
                as: 'cube',
                status: 'READY',
                problems: [expect.stringContaining('no table nowhere')],
              },
              {
                name: `${engine}-broken-model`,
                as: 'semantic',
                status: 'BROKEN',
                problems: [expect.stringMatching(/has no table .*nowhere/)],
              },
            ],
          },
        });
      } finally {
        await started.stop();
      }
    });
  },
  { timeout: 120_000 },
);
