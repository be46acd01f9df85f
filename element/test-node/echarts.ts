import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([SVGRenderer]);
const probe = init(null, null, { renderer: 'svg', ssr: true, width: 1, height: 1 });
probe.dispose();

/** The common prototype of the charts in `bundledElement`, which ECharts does not export. A test counts its objects. */
export const chartPrototype: unknown = Object.getPrototypeOf(probe);
