import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([SVGRenderer]);
const probe = init(null, null, { renderer: 'svg', ssr: true, width: 1, height: 1 });
probe.dispose();

/** What the charts of `bundledElement` have in common; ECharts does not export it. A test counts the objects that have it. */
export const chartPrototype: unknown = Object.getPrototypeOf(probe);
