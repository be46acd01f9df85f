import type { Clock } from '../../router/capabilities/clock.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { State } from '../../router/capabilities/state.ts';

/** What every part of identity is made of. */
export interface IdentityDependencies {
  /** A store in which `identityMigrations` have run. */
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
}
