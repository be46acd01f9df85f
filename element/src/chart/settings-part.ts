/** Checks the settings of charts. It is loaded when a chart has some. */
export { readChartSettings } from './check-settings.ts';
export { withoutImpossible } from './impossible-settings.ts';
