import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, graphic, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { addPatterns, chartOption, lacksPatterns } from './chart-option.ts';
import { planChart } from './kinds.ts';
import type { PlanPoint } from './plan.ts';
import type { ChartSpec } from './spec.ts';
import { type ChartTheme, isSameChartTheme, readChartTheme } from './theme.ts';

// SVG is sharp at every zoom and on paper, and ECharts sets its styles through the CSSOM, which a strict CSP allows.
use([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, SVGRenderer]);

export interface Chart {
  /** Draws `spec`, without an animation while hydrating. Returns false where the same is drawn already, or has no room. */
  draw(spec: ChartSpec, isHydrating: boolean): boolean;
  /** Shows the tooltip of a point; undefined hides it. */
  highlight(point: PlanPoint | undefined): void;
  dispose(): void;
}

/**
 * Creates a chart in `host` and follows its size and its colours. The size of `host` must not depend on its content:
 * drawing would resize it, and resizing would draw. A click on a point calls `chosen` with its position in its series
 * and the id of that series. Another size or other colours call `changed`, which draws the chart again.
 * A click on a name of the legend calls `toggled`.
 */
export function createChart(
  host: HTMLElement,
  chosen: (index: number, series: string) => void,
  changed: () => void,
  toggled: (name: string) => void,
): Chart {
  let chart: ECharts | undefined;
  let spec: ChartSpec | undefined;
  let drawn:
    | { readonly spec: ChartSpec; readonly width: number; readonly height: number; readonly theme: ChartTheme }
    | undefined;
  const draw = (isHydrating: boolean): boolean => {
    if (spec === undefined) return false;
    const least = planChart(spec).minHeight?.(host.clientWidth);
    const minHeight = least === undefined ? '' : `${Math.ceil(least)}px`;
    const tile = host.closest<HTMLElement>('.tile');
    // A tile in a grid has a fixed height, so its chart scrolls; a tile of a narrow dashboard and a chart alone grow.
    tile?.style.setProperty('--least', minHeight);
    (tile ? host : (host.closest<HTMLElement>('.chart-box') ?? host)).style.minHeight = minHeight;
    // A chart in a closed panel has no size yet; the observer calls again when it has one.
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return false;
    const scroller = host.parentElement;
    // A drawing that is higher than its box is scrolled by the keyboard, too.
    if (scroller !== null && height > scroller.clientHeight) scroller.tabIndex = 0;
    else scroller?.removeAttribute('tabindex');
    const theme = readChartTheme(host);
    const sized = drawn?.width === width && drawn.height === height;
    if (drawn?.spec === spec && sized && isSameChartTheme(drawn.theme, theme)) return false;
    chart ??= begin(width, height);
    if (!sized) chart.resize({ width, height });
    chart.setOption(chartOption(spec, theme, { width, height }, !isHydrating && drawn?.spec !== spec), {
      notMerge: true,
    });
    drawn = { spec, width, height, theme };
    if (lacksPatterns(theme))
      import('./forced-colours.ts').then(addPatterns).then(() => {
        drawn = undefined;
        changed();
      });
    return true;
  };

  const begin = (width: number, height: number): ECharts => {
    const begun = init(host, undefined, { renderer: 'svg', width, height });
    setTooltipFont(begun, host);
    begun.on('click', ({ dataIndex, seriesId }) => {
      if (typeof dataIndex === 'number') chosen(dataIndex, seriesId ?? '');
    });
    begun.on('legendselectchanged', (event) => {
      const { name }: { readonly name?: string } = Object(event);
      if (name !== undefined) toggled(name);
    });
    begun.on('sunburstroottonode', (event) => {
      const { targetNode }: { readonly targetNode?: { readonly dataIndex?: number } } = Object(event);
      if (spec) planChart(spec).open?.(targetNode?.dataIndex ?? 0);
      begun.resize();
      // The pointer is over another mark now, which it has not entered.
      begun.dispatchAction({ type: 'downplay' });
      begun.dispatchAction({ type: 'hideTip' });
    });
    return begun;
  };

  const sizes = new ResizeObserver(changed);
  sizes.observe(host);
  // The theme's properties have a transition of 1 ms, so every change of theme ends in this event.
  host.addEventListener('transitionend', changed);

  return {
    draw(next, isHydrating) {
      // Each rendering passes a new object. Only a changed content is drawn again.
      if (spec === undefined || !isSameSpec(spec, next)) spec = next;
      return draw(isHydrating);
    },
    highlight(point) {
      chart?.dispatchAction({ type: 'downplay' });
      if (point === undefined) return chart?.dispatchAction({ type: 'hideTip' });
      const mark = { seriesIndex: point.series, dataIndex: point.data };
      chart?.dispatchAction({ type: 'highlight', ...mark });
      chart?.dispatchAction({ type: 'showTip', ...mark });
    },
    dispose() {
      sizes.disconnect();
      host.removeEventListener('transitionend', changed);
      const emptied = [host, ...host.querySelectorAll('svg')];
      emptied.forEach(emptyWithoutHtml);
      chart?.dispose();
      chart = undefined;
      for (const element of emptied) Reflect.deleteProperty(element, 'innerHTML');
    },
  };
}

/**
 * Sets the font of tooltips. ECharts writes rich-text tooltips in its own font and ignores `textStyle`. They are the
 * only texts that it adds to the drawing itself and not to a group.
 */
function setTooltipFont(chart: ECharts, host: HTMLElement): void {
  const drawing = chart.getZr();
  const add = drawing.add.bind(drawing);
  drawing.add = (shape) => {
    if (shape instanceof graphic.Text) {
      const { font, fontSize } = readChartTheme(host);
      shape.setStyle({ fontFamily: font, fontSize });
    }
    add(shape);
  };
}

/** Replaces ECharts' `innerHTML = ''` on `element`, which a page that requires Trusted Types refuses. */
function emptyWithoutHtml(element: Element): void {
  Object.defineProperty(element, 'innerHTML', { configurable: true, set: () => element.replaceChildren() });
}

function isSameSpec(a: ChartSpec, b: ChartSpec): boolean {
  return (
    a.answer.rows === b.answer.rows &&
    a.answer.columns === b.answer.columns &&
    a.answer.forecast === b.answer.forecast &&
    a.mode === b.mode &&
    a.settings === b.settings &&
    a.others === b.others &&
    a.colours === b.colours &&
    a.description === b.description &&
    a.formats === b.formats &&
    a.selected === b.selected &&
    a.hidden === b.hidden
  );
}
