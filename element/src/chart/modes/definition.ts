import type { ChartMode } from '../../chart-modes.ts';
import type { Plan } from '../plan.ts';
import type { ChartSpec } from '../spec.ts';
import type { ModeNeeds } from './can-draw.ts';

export type Planner = (spec: ChartSpec) => Plan;

/** A part that draws kinds of charts. It is loaded when a page shows one of them. */
export interface KindPart {
  readonly plans: Readonly<Partial<Record<ChartMode, Planner>>>;
}

/**
 * Contains what all charts know of a mode before it is loaded. Each mode is one entry of `all-modes.ts`; its drawing is a
 * file in this folder.
 */
export interface ChartModeDefinition extends ModeNeeds {
  /** Plans the chart, or loads the part that does. */
  readonly draws: Planner | { readonly load: () => Promise<KindPart> };
}
