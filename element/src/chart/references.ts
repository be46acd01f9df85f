import type { Frame, FramePanel } from './frame.ts';
import type { ChartSize, ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

/** Draws references. It is loaded when a chart has some. */
export interface ReferencesPart {
  /** Returns the values that the axis has to contain. */
  readonly values: (spec: ChartSpec, panel: FramePanel) => readonly number[];
  /** Draws targets, means, bands and events over the first series of a panel. */
  readonly marks: (
    spec: ChartSpec,
    frame: Frame,
    panel: FramePanel,
    isLying: boolean,
    theme: ChartTheme,
    size: ChartSize,
  ) => OptionFragment;
}

let part: ReferencesPart | undefined;

/** Adds the part once it is loaded. */
export function addReferences(loaded: ReferencesPart): void {
  part = loaded;
}

/** Returns the part for a chart with references; undefined for any other chart, and until it is loaded. */
export function referencesOf({ settings: { references } }: Pick<ChartSpec, 'settings'>): ReferencesPart | undefined {
  return references !== undefined && references.length > 0 ? part : undefined;
}

/** Returns whether the part is loaded. */
export function hasReferences(): boolean {
  return part !== undefined;
}
