/** The second file of the script form: everything that draws. */
export { createChart } from '../chart/chart.ts';
