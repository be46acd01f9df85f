import type { TenantId } from '../../../router/capabilities/identity.ts';
import { type KeptLog, keptLog } from '../../../router/testing/kept-log.ts';
import type { StateStore } from '../../state/index.ts';
import type { StateFixture } from '../../state/testing/engines.ts';
import { DEFAULT_TENANT, type Identity, type IdentityOptions, identityMigrations, openIdentity } from '../index.ts';

/** A hash that costs nothing, for tests that are not about hashing. */
export const CHEAP = { memoryCost: 16, timeCost: 1, parallelism: 1 };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** One node with its identity, a clock that only the test moves, and the default tenant's id. */
export interface Node {
  readonly identity: Identity;
  readonly store: StateStore;
  readonly clock: { now: number };
  readonly log: KeptLog;
  readonly tenant: TenantId;
}

/** Starts a node on this test's database; `options` may share the clock of another node. */
export async function node(
  state: StateFixture,
  options: Partial<Omit<IdentityOptions, 'clock' | 'state'>> & { readonly clock?: { now: number } } = {},
): Promise<Node> {
  const store = await state.open({ identity: identityMigrations });
  const { clock = { now: 1_790_000_000_000 }, ...rest } = options;
  const log = keptLog();
  const identity = await openIdentity({ hashCost: CHEAP, log, ...rest, state: store, clock: () => clock.now });
  const tenant = await identity.tenants.ensure(DEFAULT_TENANT);
  return { identity, store, clock, log, tenant: tenant.id };
}

/** Names that break careless handling of quotes, encodings, paths or terminators. */
export const HOSTILE_NAMES: readonly string[] = [
  '',
  '.',
  '..',
  '../admin',
  'a/b',
  'a\\b',
  "o'hara",
  'x" or "1"="1',
  "'; drop table users; --",
  'a\u0000b',
  'admin\u0000',
  'ådmin',
  'аdmin', // Its first letter is Cyrillic.
  'admin\u200b',
  'admin ',
  'a\nb',
  'x'.repeat(65),
  '\ud800',
  '%00',
  'a:b',
];

/** Writes a Basic header as a client does. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
