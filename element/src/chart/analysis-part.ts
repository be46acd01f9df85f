export { bandSeries, forecastSeries, forecastText } from './analysis-series.ts';
export { analysisTable } from './analysis-table.ts';
export { readForecastPeriods } from './read-forecast.ts';
