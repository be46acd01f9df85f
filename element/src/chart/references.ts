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
    /** `height` is of the whole drawing, of which the words of events take a part. */
    axes: { readonly isLying: boolean; readonly isTimeAxis: boolean; readonly height: number },
    theme: ChartTheme,
    size: ChartSize,
  ) => OptionFragment;
  /** Returns the height of the words of events above a chart, and where they start, in CSS pixels; infinity for none. */
  readonly rows: (
    spec: ChartSpec,
    frame: Frame,
    isTimeAxis: boolean,
    theme: ChartTheme,
    size: ChartSize,
  ) => { readonly height: number; readonly start: number };
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
