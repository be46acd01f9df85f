import type { Condition, ResolvedGroup } from '../../nodes/resolved-query.ts';
import type { Spread } from '../../nodes/shown-days.ts';

export interface OffsetRequest {
  readonly groups: readonly ResolvedGroup[];
  readonly conditions: readonly Condition[];
  readonly spread: Spread | undefined;
  /** True where the shown day is unknown, so that there is no value. */
  readonly isOfNoDay?: boolean | undefined;
  /** The one shown day, where the filters give it and the request has no part of the date. */
  readonly day?: string | undefined;
}
