/** Removes what requests under way have written for a tenant after it was removed, by whichever node or command. */
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Home } from '../home-directory/home-directory.ts';
import type { Tenants } from '../identity/index.ts';
import { removeLeftovers } from './tenant-contents.ts';

const LOOK_EVERY_MS = 60_000;
/** Looks after which no request of a removed tenant can be under way any more. */
const LOOKS = 15;

export interface LeftoverOptions {
  readonly state: State;
  readonly home: Home;
  readonly tenants: Tenants;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Looks from time to time which tenants are gone, and clears up after them for a while. Returns how to stop. */
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
    const names = new Set(present.values());
    for (const [id, each] of gone) {
      await removeLeftovers(state, home, { id, name: each.name }, !names.has(each.name));
      each.looks -= 1;
      if (each.looks === 0) gone.delete(id);
    }
  };
  const tick = (): void => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'it was not looked which tenants are gone'))
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
