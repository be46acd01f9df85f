import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, graphic, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { chartOption } from './option.ts';
import type { ChartSpec } from './spec.ts';
import { type ChartTheme, isSameChartTheme, readChartTheme } from './theme.ts';

// SVG: sharp at every zoom and on paper, and its styles are set through the CSSOM, which a strict CSP allows.
use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

export interface Chart {
  /** Draws `spec`; while hydrating, without moving in. */
  draw(spec: ChartSpec, isHydrating: boolean): void;
  /** Shows what is said about a point of the first series; undefined for none. */
  highlight(index: number | undefined): void;
  dispose(): void;
}

/**
 * Draws in `host` for as long as it lives, and follows its size and its colours. The size of `host` must not depend
 * on what is in it, or drawing would resize and resizing would draw. `chosen` is called with a point that is clicked:
 * where it stands in its series, and the id of that.
 */
export function createChart(host: HTMLElement, chosen: (index: number, series: string) => void): Chart {
  let chart: ECharts | undefined;
  let spec: ChartSpec | undefined;
  let drawn:
    | { readonly spec: ChartSpec; readonly width: number; readonly height: number; readonly theme: ChartTheme }
    | undefined;
  const draw = (isHydrating = false): void => {
    const width = host.clientWidth;
    const height = host.clientHeight;
    // A chart in a closed panel has no room yet; the observer calls again when it gets some.
    if (spec === undefined || width === 0 || height === 0) return;
    const theme = readChartTheme(host);
    const sized = drawn?.width === width && drawn.height === height;
    if (drawn?.spec === spec && sized && isSameChartTheme(drawn.theme, theme)) return;
    chart ??= begin(width, height);
    if (!sized) chart.resize({ width, height });
    chart.setOption(chartOption(spec, theme, { width, height }, !isHydrating && drawn?.spec !== spec), {
      notMerge: true,
    });
    drawn = { spec, width, height, theme };
  };

  const begin = (width: number, height: number): ECharts => {
    const begun = init(host, undefined, { renderer: 'svg', width, height });
    setTooltipFont(begun, host);
    begun.on('click', ({ dataIndex, seriesId }) => {
      if (typeof dataIndex === 'number') chosen(dataIndex, seriesId ?? '');
    });
    return begun;
  };

  // Also the first drawing: an observer calls once when it begins.
  const sizes = new ResizeObserver(() => draw());
  sizes.observe(host);
  // The theme stands in properties with a transition of 1 ms, so any change of it, whoever made it, ends in this event.
  const recolour = (): void => draw();
  host.addEventListener('transitionend', recolour);

  return {
    draw(next, isHydrating) {
      // The views hand over a new object each time they render; only a change of what is in it is drawn again.
      if (spec === undefined || !isSameSpec(spec, next)) spec = next;
      draw(isHydrating);
    },
    highlight(index) {
      chart?.dispatchAction({ type: 'downplay' });
      if (index === undefined) return chart?.dispatchAction({ type: 'hideTip' });
      chart?.dispatchAction({ type: 'highlight', seriesIndex: 0, dataIndex: index });
      chart?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: index });
    },
    dispose() {
      sizes.disconnect();
      host.removeEventListener('transitionend', recolour);
      const emptied = [host, ...host.querySelectorAll('svg')];
      emptied.forEach(emptyWithoutHtml);
      chart?.dispose();
      chart = undefined;
      for (const element of emptied) Reflect.deleteProperty(element, 'innerHTML');
    },
  };
}

/**
 * Sets the font of tooltips. ECharts writes rich-text tooltips in its own font, whatever `textStyle` says. They are the
 * only texts that are added to the drawing itself and not to a group of it.
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

/**
 * Lets ECharts empty `element`. It does so by `innerHTML = ''`, which a page that requires Trusted Types does not
 * allow.
 */
function emptyWithoutHtml(element: Element): void {
  Object.defineProperty(element, 'innerHTML', { configurable: true, set: () => element.replaceChildren() });
}

function isSameSpec(a: ChartSpec, b: ChartSpec): boolean {
  return (
    a.answer.rows === b.answer.rows &&
    a.answer.columns === b.answer.columns &&
    a.answer.forecast === b.answer.forecast &&
    a.mode === b.mode &&
    a.description === b.description &&
    a.formats === b.formats &&
    a.selected === b.selected
  );
}
