import { type Chart, createChart } from './chart.ts';
import type { ChartSpec } from './spec.ts';

/** What a chart's element carries: the view sets it as a property, and it is drawn after the rendering. */
export interface Surface {
  readonly spec: ChartSpec;
  /** Its first drawing stands there at once. */
  readonly isHydrating: boolean;
  /** Receives a click on a point; see `createChart`. */
  readonly onSelect: (index: number, series: string) => void;
  /** The point the keyboard is at. */
  readonly highlighted: number | undefined;
}

interface SurfaceElement extends HTMLElement {
  readonly surface: Surface;
}

type Drawings = Map<HTMLElement, { readonly chart: Chart; highlighted: number | undefined }>;

const drawings = new WeakMap<ShadowRoot, Drawings>();

/** Draws what is new in `root`, and disposes of the charts whose elements are gone. */
export function afterRender(root: ShadowRoot): void {
  const known: Drawings = drawings.get(root) ?? new Map();
  drawings.set(root, known);
  for (const [element, { chart }] of known) {
    if (root.contains(element)) continue;
    chart.dispose();
    known.delete(element);
  }
  for (const element of root.querySelectorAll<HTMLElement>('.chart')) {
    if (!isSurface(element)) continue;
    const { spec, isHydrating, highlighted } = element.surface;
    const drawing = known.get(element) ?? {
      chart: createChart(element, (index, series) => element.surface.onSelect(index, series)),
      highlighted: undefined,
    };
    known.set(element, drawing);
    drawing.chart.draw(spec, isHydrating);
    if (drawing.highlighted !== highlighted) drawing.chart.highlight(highlighted);
    drawing.highlighted = highlighted;
  }
}

/** Disposes of all charts of `root`, whose element has left the page. */
export function disconnected(root: ShadowRoot): void {
  for (const { chart } of drawings.get(root)?.values() ?? []) chart.dispose();
  drawings.delete(root);
}

function isSurface(element: HTMLElement): element is SurfaceElement {
  return 'surface' in element;
}
