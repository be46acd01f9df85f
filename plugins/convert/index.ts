/** Converts other products' models to semantic documents: cube schemas (XML) and dbt metric YAML. */
export type { Conversion } from './conversion.ts';
export { convertCube } from './cube/convert-cube.ts';
export { freeName, slug } from './cube/names.ts';
export { convertMetricflow } from './metricflow/convert-metricflow.ts';
export { readManifest } from './metricflow/manifest.ts';
