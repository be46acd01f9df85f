import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';

/** What the parts of identity depend on. */
export interface IdentityDependencies {
  /** A store with the applied `identityMigrations`. */
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
}
