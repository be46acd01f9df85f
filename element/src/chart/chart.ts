import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type Look, readLook, sameLook } from './look.ts';
import { type ChartSpec, chartOption } from './option.ts';

// SVG: sharp at every zoom and on paper, and its styles are set through the CSSOM, which a strict CSP allows.
use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

export interface Chart {
  draw(spec: ChartSpec): void;
  dispose(): void;
}

/** What the second file of the script form gives to the first. */
export interface ChartModule {
  /**
   * Draws in `host` for as long as it lives, and follows its size and its colours. The size of `host` must not depend
   * on what is in it, or drawing would resize and resizing would draw.
   */
  createChart(host: HTMLElement): Chart;
}

export const createChart: ChartModule['createChart'] = (host) => {
  let chart: ECharts | undefined;
  let spec: ChartSpec | undefined;
  let drawn:
    | { readonly spec: ChartSpec; readonly width: number; readonly height: number; readonly look: Look }
    | undefined;

  const draw = (): void => {
    const width = host.clientWidth;
    const height = host.clientHeight;
    // A chart in a closed panel has no room yet; the observer calls again when it gets some.
    if (spec === undefined || width === 0 || height === 0) return;
    const look = readLook(host);
    const sized = drawn?.width === width && drawn.height === height;
    if (drawn?.spec === spec && sized && sameLook(drawn.look, look)) return;
    const animate = drawn?.spec !== spec && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    chart ??= init(host, undefined, { renderer: 'svg', width, height });
    if (!sized) chart.resize({ width, height });
    chart.setOption(chartOption(spec, look, { width, height }, animate), { notMerge: true });
    drawn = { spec, width, height, look };
  };

  // Also the first drawing: an observer calls once when it begins.
  const sizes = new ResizeObserver(draw);
  sizes.observe(host);
  // The theme stands in properties with a transition of 1 ms, so any change of it, whoever made it, ends in this event.
  host.addEventListener('transitionend', draw);

  return {
    draw(next) {
      // The views hand over a new object each time they render; only a change of what is in it is drawn again.
      if (spec === undefined || !sameSpec(spec, next)) spec = next;
      draw();
    },
    dispose() {
      sizes.disconnect();
      host.removeEventListener('transitionend', draw);
      chart?.dispose();
      chart = undefined;
    },
  };
};

function sameSpec(a: ChartSpec, b: ChartSpec): boolean {
  return a.answer === b.answer && a.mode === b.mode && a.description === b.description;
}
