/** Removes the rows and files that unfinished requests write for a tenant after a node or a command has removed it. */
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Home } from '../home-directory/home-directory.ts';
import type { Tenants } from '../identity/index.ts';
import { removeLeftovers } from './tenant-contents.ts';

const LOOK_EVERY_MS = 60_000;
/** Number of looks after which no request of a removed tenant can still run. */
const LOOKS = 15;

export interface LeftoverOptions {
  readonly state: State;
  readonly home: Home;
  readonly tenants: Pick<Tenants, 'list'>;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Looks regularly for removed tenants, and removes their leftovers for a while. Returns a function that stops it. */
export function clearLeftovers({
  state,
  home,
  tenants,
  log,
  everyMs = LOOK_EVERY_MS,
}: LeftoverOptions): () => Promise<void> {
  let tenantNames: ReadonlyMap<TenantId, string> = new Map();
  const gone = new Map<TenantId, { readonly name: string; looks: number }>();
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const present = new Map((await tenants.list()).map(({ id, name }) => [id, name] as const));
    for (const [id, name] of tenantNames) if (!present.has(id)) gone.set(id, { name, looks: LOOKS });
    tenantNames = present;
    for (const [id, each] of gone) {
      await removeLeftovers(state, home, { id, name: each.name });
      each.looks -= 1;
      if (each.looks === 0) gone.delete(id);
    }
  };
  const tick = (): void => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'the leftovers of removed tenants were not cleared'))
      .finally(() => {
        looking = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
