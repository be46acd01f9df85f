import { type Chart, createChart } from './chart.ts';
import type { ChartSpec } from './spec.ts';

/** What a chart's element carries: the view sets it as a property, and it is drawn after the rendering. */
export interface Surface {
  readonly spec: ChartSpec;
  /** Its first drawing stands there at once. */
  readonly isHydrating: boolean;
  /** A point was clicked; see `createChart`. */
  readonly onSelect: (index: number, series: string) => void;
  /** The point the keyboard is at. */
  readonly highlighted: number | undefined;
}

interface SurfaceElement extends HTMLElement {
  readonly surface: Surface;
}

const charts = new WeakMap<ShadowRoot, Map<HTMLElement, { readonly chart: Chart; point: number | undefined }>>();

/** Draws what is new, and lets go of the charts whose elements are gone. */
export function afterRender(root: ShadowRoot): void {
  const known = charts.get(root) ?? new Map();
  charts.set(root, known);
  for (const [element, { chart }] of known) {
    if (root.contains(element)) continue;
    chart.dispose();
    known.delete(element);
  }
  for (const element of root.querySelectorAll<HTMLElement>('.chart')) {
    if (!isSurface(element)) continue;
    const { spec, isHydrating, highlighted: point } = element.surface;
    const drawing = known.get(element) ?? {
      chart: createChart(element, (index, series) => element.surface.onSelect(index, series)),
      point: undefined,
    };
    known.set(element, drawing);
    drawing.chart.draw(spec, isHydrating);
    if (drawing.point !== point) drawing.chart.point(point);
    drawing.point = point;
  }
}

export function disconnected(root: ShadowRoot): void {
  for (const { chart } of charts.get(root)?.values() ?? []) chart.dispose();
  charts.delete(root);
}

function isSurface(element: HTMLElement): element is SurfaceElement {
  return 'surface' in element;
}
