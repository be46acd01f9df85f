/**
 * Calls every operation of the product as one tenant with the names of another tenant's things. The answers are as if the things did not exist, and
 * the things stay unchanged. The list of operations comes from the server's own declaration.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StateFixture } from '../state/testing/engines.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { placesOf } from './tenant-folders.ts';
import { type Cell, MATRIX } from './testing/matrix.ts';
import { absentOf, answerOf, comparable, type Prepared, prepare } from './testing/things.ts';
import { SECRET, startWorld, type TenantName, type World } from './testing/world.ts';

const CELLS = new Map<string, Cell>(
  Object.entries(MATRIX).flatMap(([plugin, cells]) =>
    Object.entries(cells).map(([operation, cell]) => [`${plugin}.${operation}`, cell] as const),
  ),
);

onEveryEngine((fixture) => {
  describe('the things of a tenant', () => {
    it('are out of reach of other tenants, in every operation', async () => {
      await withWorld(fixture, async (world) => {
        // testing/matrix.ts lists for each operation how it is called with the names of a tenant's things. A new operation needs an entry.
        expect([...world.operations.keys()].sort()).toEqual([...CELLS.keys()].sort());
        const alpha = await prepare(world, 'alpha');
        const before = await possessions(world);
        for (const stranger of ['beta', 'default'] as const) {
          const ownThings = await prepare(world, stranger);
          // Calls without names come first: lists, before the stranger has things of the same names.
          const named = [...CELLS].sort(
            ([, left], [, right]) => Number(isNamed(left, alpha)) - Number(isNamed(right, alpha)),
          );
          for (const [operation, cell] of named) {
            if ((cell.isSlow === true || cell.isOfInstallation === true) && stranger !== 'beta') continue;
            await tryAsStranger(world, stranger, ownThings, alpha, operation, cell);
          }
          expect(await possessions(world), `after the calls of ${stranger}`).toEqual(before);
        }
        const inOrder = [...CELLS].sort(([, left], [, right]) => Number(left.isLast ?? 0) - Number(right.isLast ?? 0));
        for (const [operation, cell] of inOrder) await tryAsOwner(world, alpha, operation, cell);
      });
    }, 240_000);
  });
});

async function withWorld(fixture: StateFixture, work: (world: World) => Promise<void>): Promise<void> {
  const world = await startWorld(fixture);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** Checks that the answers for existing and missing things do not differ, and contain nothing of the things. */
async function tryAsStranger(
  world: World,
  stranger: TenantName,
  { holdings }: Prepared,
  alpha: Prepared,
  operation: string,
  cell: Cell,
): Promise<void> {
  const absent = cell.calls({ ...absentOf(alpha.things), ...holdings });
  for (const [index, call] of cell.calls({ ...alpha.things, ...holdings }).entries()) {
    const where = `${operation}, call ${index + 1}, by ${stranger}`;
    const present = await answerOf(world, stranger, operation, call);
    if (cell.isOfInstallation === true) expect.soft(present.status, where).toBe(403);
    expect.soft(present.text, where).not.toContain(SECRET);
    expect.soft(present.status, where).not.toBe(500);
    if (!isNamed(cell, alpha)) {
      expect.soft(present.text, where).not.toMatch(/alpha/i);
      continue;
    }
    const missing = await answerOf(world, stranger, operation, absent[index] ?? call);
    const isTold = cell.isToldToFirst === true && stranger === 'default';
    if (isTold) expect.soft(present.status, where).toBe(400);
    else expect.soft(comparable(present), where).toBe(comparable(missing));
  }
}

/** Returns true if a cell's calls name a tenant's things. */
function isNamed(cell: Cell, { things, holdings }: Prepared): boolean {
  const of = (each: Prepared['things']) => JSON.stringify(cell.calls({ ...each, ...holdings }));
  return of(things) !== of(absentOf(things));
}

/** Checks that the calls name existing things: their owner gets an answer. */
async function tryAsOwner(world: World, { things, holdings }: Prepared, operation: string, cell: Cell): Promise<void> {
  const statuses: number[] = [];
  for (const call of cell.calls({ ...things, ...holdings })) {
    const { status, text } = await answerOf(world, 'alpha', operation, call);
    statuses.push(status);
    if (cell.ownerStatuses === undefined)
      expect.soft([status, text], operation).toEqual([expect.toSatisfy(isSuccess), text]);
    else expect.soft(cell.ownerStatuses, `${operation}: ${status} ${text}`).toContain(status);
  }
  if (cell.ownerStatuses !== undefined) expect.soft(statuses, operation).toContain(cell.ownerStatuses[0]);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Times of the last use are not a change. */
const NOTES = ['last_used_at', 'last_seen_at', 'heartbeat_at'];

/** Tables that a public read adds to for the owner: its audit entry, and what it aggregated (written every 30 s). */
const OF_PUBLIC_READS = new Set(['audit_log', 'rollup_demands']);

/** Collects everything that `alpha` has: its rows in every table, and its files. */
async function possessions({ state, home, tenants }: World): Promise<unknown> {
  const database = state.tables<Readonly<Record<string, { readonly tenant_id: string }>>>();
  const tables = (await database.introspection.getTables()).filter(
    ({ name: table, columns }) => !OF_PUBLIC_READS.has(table) && columns.some(({ name }) => name === 'tenant_id'),
  );
  const rows: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const present = await database.selectFrom(name).selectAll().where('tenant_id', '=', tenants.alpha.id).execute();
    rows[name] = present.map((row) => JSON.stringify(row, (key, value) => (NOTES.includes(key) ? null : value))).sort();
  }
  const files = Object.values(placesOf(home, 'alpha')).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`),
  );
  return { rows, files: files.sort() };
}
