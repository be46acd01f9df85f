import type { Condition, ResolvedGroup } from '../../nodes/resolved-query.ts';
import type { Spread } from '../../nodes/shown-days.ts';

export interface OffsetRequest {
  readonly groups: readonly ResolvedGroup[];
  readonly conditions: readonly Condition[];
  readonly spread: Spread | undefined;
  /** True where nothing says which day is meant, so that there is no value. */
  readonly isOfNoDay?: boolean | undefined;
  /** The one day that is meant, where the filters say it and no part of the date is asked for. */
  readonly day?: string | undefined;
}
