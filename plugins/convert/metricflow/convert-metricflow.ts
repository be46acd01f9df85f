/** Converts dbt metric YAML to a semantic model. */

import { parserDialect, serviceExtension } from '../../semantic/index.ts';
import type { Conversion, ConversionProblem } from '../conversion.ts';
import { convertDatasets, convertRelationships } from './datasets.ts';
import { type Manifest, relationNames } from './manifest.ts';
import { convertMetrics } from './metrics.ts';
import { Project } from './project.ts';
import { type InputFile, readDbt } from './read.ts';
import { describeSavedQuery } from './saved-queries.ts';
import { convertSpines } from './time-spine.ts';

export { type Manifest, readManifest } from './manifest.ts';
export type { InputFile } from './read.ts';

export interface MetricflowOptions {
  /** Name of the semantic model; dbt's own export calls it `semantic_model`. */
  readonly name?: string | undefined;
  /** The prefix of table names: `analytics.prod`. */
  readonly schema?: string | undefined;
  /** The manifest with the tables that dbt built. */
  readonly manifest?: Manifest | undefined;
  /** The SQL dialect of the project's expressions; ANSI SQL without it. */
  readonly dialect?: string | undefined;
}

export function convertMetricflow(files: readonly InputFile[], options: MetricflowOptions = {}): Conversion {
  const { models, metrics, savedQueries, spines, problems: readProblems } = readDbt(files);
  const problems: ConversionProblem[] = [...readProblems];
  const dialect = parserDialect(options.dialect ?? 'generic');
  if (dialect === undefined) {
    const message = `The SQL dialect ${options.dialect} is not known.`;
    return { model: undefined, problems: [{ severity: 'error', file: '', line: undefined, message }] };
  }
  const seen = new Set<string>();
  for (const { name, file, line } of models) {
    const message = `semantic model ${name}: the name is used twice.`;
    if (seen.has(name)) problems.push({ severity: 'error', file, line, message });
    seen.add(name);
  }
  const [first] = models;
  if (first === undefined && problems.every(({ severity }) => severity !== 'error')) {
    const file = files[0]?.name ?? '';
    const message = 'There is no semantic model in the files, so nothing says where the data is.';
    problems.push({ severity: 'error', file, line: undefined, message });
  }
  const relations = relationNames(options);
  const names = models.map(({ name }) => name);
  const spine = convertSpines(spines, names, relations, problems);
  const periods = spine.calendars.flatMap(({ grains }) => grains.map(({ name }) => name));
  const project = new Project(models, dialect, periods);
  const datasets = convertDatasets(project, relations, problems);
  const relationships = convertRelationships(project, problems);
  const converted = convertMetrics(metrics, project, problems);
  for (const query of savedQueries) {
    const { file, line } = query;
    problems.push({ severity: 'warning', file, line, message: describeSavedQuery(query, project) });
  }
  const calendars = serviceExtension({ calendars: spine.calendars.length === 0 ? undefined : spine.calendars });
  const inOrder = files.flatMap(({ name }) =>
    problems
      .filter(({ file }) => file === name)
      .toSorted((left, right) => (left.line ?? Infinity) - (right.line ?? Infinity)),
  );
  if (problems.some(({ severity }) => severity === 'error')) return { model: undefined, problems: inOrder };
  return {
    model: {
      name: options.name ?? 'semantic_model',
      datasets: [...datasets, ...spine.datasets],
      ...(relationships.length === 0 ? {} : { relationships }),
      ...(converted.length === 0 ? {} : { metrics: converted }),
      ...(calendars === undefined ? {} : { custom_extensions: [calendars] }),
    },
    problems: inOrder,
  };
}
