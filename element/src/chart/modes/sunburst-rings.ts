import type { EChartsInstaller } from './installer.ts';

/** Gap around the circle that leads back, in CSS pixels. */
const GAP = 2;

interface Sector {
  readonly depth: number;
  readonly height: number;
  readonly eachNode: (visit: (node: Sector) => void) => void;
  readonly getLayout: () => object;
  readonly setLayout: (layout: object, merge: boolean) => void;
}

/**
 * Puts the way back from an opened member into the hole of its sunburst, after each layout. ECharts gives it a ring of its own,
 * and the rings of the members would have too little room for their names.
 */
export const widenOpenedRings: EChartsInstaller = (registers) => {
  registers.registerLayout((model) => {
    model.eachSeriesByType('sunburst', (series) => {
      // Its type does not list this method.
      const ofSunburst: { readonly getViewRoot?: () => Sector } = Object(series);
      const opened = ofSunburst.getViewRoot?.();
      const whole: Sector | undefined = series.getData().tree?.root;
      if (whole === undefined || opened === undefined || opened === whole) return;
      const { r0 = 0, r = 0 }: { readonly r0?: number; readonly r?: number } = whole.getLayout();
      const ring = ((r - r0) * (opened.height + 1)) / opened.height;
      whole.setLayout({ r0: 0, r: Math.max(0, r0 - GAP) }, true);
      opened.eachNode((node) => {
        const inner = r0 + ring * (node.depth - opened.depth);
        node.setLayout({ r0: inner, r: inner + ring }, true);
      });
    });
  });
};
