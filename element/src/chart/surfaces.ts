import { type Chart, createChart } from './chart.ts';
import type { PlanPoint } from './plan.ts';
import type { ChartSpec } from './spec.ts';
import { takeTurn } from './turns.ts';

/** The property that the view sets on a chart's element. The chart is drawn after the rendering. */
export interface Surface {
  readonly spec: ChartSpec;
  /** Draws the first time without an animation. */
  readonly isHydrating: boolean;
  /** Receives a click on a point; see `createChart`. */
  readonly onSelect: (index: number, series: string) => void;
  /** The point that has the keyboard. */
  readonly highlighted: PlanPoint | undefined;
  /** Receives a click on a name of the legend. */
  readonly onToggle: (name: string) => void;
  /** Runs after the drawing. */
  readonly onPainted: () => void;
}

interface SurfaceElement extends HTMLElement {
  readonly surface: Surface;
}

type Drawings = Map<HTMLElement, { readonly chart: Chart; spec?: ChartSpec; highlighted: PlanPoint | undefined }>;

const drawings = new WeakMap<ShadowRoot, Drawings>();

/** Draws new charts in `root`, and disposes of charts whose elements are gone. */
export function afterRender(root: ShadowRoot): void {
  const rootDrawings: Drawings = drawings.get(root) ?? new Map();
  drawings.set(root, rootDrawings);
  for (const [element, { chart }] of rootDrawings) {
    if (root.contains(element)) continue;
    chart.dispose();
    rootDrawings.delete(element);
  }
  for (const element of root.querySelectorAll<HTMLElement>('.chart')) {
    if (!isSurface(element)) continue;
    const { spec, isHydrating, highlighted, onPainted } = element.surface;
    const drawing = rootDrawings.get(element);
    const work = () => paint(element, root);
    if (drawing?.spec === spec && isSamePoint(drawing.highlighted, highlighted)) onPainted();
    // The server's drawing is gone already.
    else if (isHydrating) work();
    else takeTurn(element, work);
  }
}

/** Draws a chart if it is still in the page. Returns whether there was something to draw. */
function paint(element: SurfaceElement, root: ShadowRoot): boolean {
  const rootDrawings = drawings.get(root);
  if (rootDrawings === undefined || !root.contains(element)) return false;
  const { spec, isHydrating, highlighted, onPainted } = element.surface;
  const drawing = rootDrawings.get(element) ?? {
    chart: createChart(
      element,
      (index, series) => element.surface.onSelect(index, series),
      () => takeTurn(element, () => paint(element, root)),
      (name) => element.surface.onToggle(name),
    ),
    highlighted: undefined,
  };
  rootDrawings.set(element, drawing);
  const hasDrawn = drawing.chart.draw(spec, isHydrating);
  drawing.spec = spec;
  if (!isSamePoint(drawing.highlighted, highlighted)) drawing.chart.highlight(highlighted);
  drawing.highlighted = highlighted;
  onPainted();
  return hasDrawn;
}

/** Disposes of all charts of `root` when its element has left the page. */
export function disconnected(root: ShadowRoot): void {
  for (const { chart } of drawings.get(root)?.values() ?? []) chart.dispose();
  drawings.delete(root);
}

function isSamePoint(a: PlanPoint | undefined, b: PlanPoint | undefined): boolean {
  return a?.series === b?.series && a?.data === b?.data;
}

function isSurface(element: HTMLElement): element is SurfaceElement {
  return 'surface' in element;
}
