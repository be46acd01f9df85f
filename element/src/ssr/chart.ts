import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { chartColumns } from '../chart/columns.ts';
import { describeChart } from '../chart/describe.ts';
import { type Look, PALETTE } from '../chart/look.ts';
import { chartOption } from '../chart/option.ts';
import type { Formats } from '../formats.ts';
import type { Answer } from '../read/answer.ts';
import type { Settings } from '../settings.ts';
import { escaped } from './html.ts';

use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

/** The defaults of `view/styles.ts`: a server does not know what a page makes of them. */
const LIGHT: Look = {
  text: '#1c2530',
  muted: '#5b6673',
  line: '#e2e6eb',
  grid: '#e2e6eb',
  surface: '#ffffff',
  negative: '#b3261e',
  font: 'system-ui, sans-serif',
  fontSize: 12,
  rtl: false,
  motion: 0,
  series: PALETTE,
};
const DARK: Look = {
  ...LIGHT,
  text: '#e6eaf0',
  muted: '#9fabb9',
  line: '#2f3742',
  grid: '#2f3742',
  surface: '#171b22',
  negative: '#ff8f87',
};

/** The chart as SVG in the frame that it has in a browser; undefined where there is nothing to draw. */
export async function paintedChart(
  answer: Answer,
  { mode, theme }: Settings,
  formats: Formats,
  width: number,
  height: number,
): Promise<string | undefined> {
  if (chartColumns(answer).series.length === 0) return undefined;
  const description = describeChart(answer, mode, answer.title);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    const spec = { answer, mode, description, formats, selected: undefined };
    chart.setOption(chartOption(spec, theme === 'dark' ? DARK : LIGHT, { width, height }, false));
    const svg = chart.renderToSVGString();
    return `<div class="chart-box" part="chart-box" role="img" aria-label="${escaped(description)}">${svg}</div>`;
  } finally {
    chart.dispose();
  }
}
