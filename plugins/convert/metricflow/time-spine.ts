/** Converts tables with a row for each day and the project's own periods to datasets and calendars of the document. */

import { ansi, identifier, type OsiDataset, type OsiField, serviceExtension } from '../../semantic/index.ts';
import { type ConversionProblem, present } from '../conversion.ts';
import type { RelationNames } from './datasets.ts';
import type { TimeSpine } from './read.ts';

export interface Calendar {
  readonly dataset: string;
  readonly date: string;
  readonly grains: readonly { readonly name: string; readonly field: string }[];
}

/**
 * Returns the tables that define the project's own periods. A time spine without such periods is not needed: grains of
 * dates are built in, and requests can fill periods without rows.
 */
export function convertSpines(
  spines: readonly TimeSpine[],
  taken: readonly string[],
  relations: RelationNames,
  problems: ConversionProblem[],
): { readonly datasets: readonly OsiDataset[]; readonly calendars: readonly Calendar[] } {
  const converted = spines.flatMap((spine) => {
    const { name, file, line, time_spine: timeSpine, columns = [] } = spine;
    const custom = timeSpine.custom_granularities ?? [];
    if (custom.length === 0) return [];
    const column = timeSpine.standard_granularity_column;
    const granularity = columns.find((one) => one.name === column)?.granularity ?? 'day';
    const warn = (message: string, at = line) =>
      problems.push({ severity: 'warning', file, line: at, message: `time spine ${name}: ${message}.` });
    if (granularity !== 'day') {
      const names = custom.map((one) => one.name).join(', ');
      warn(`left out: ${names}: it has a row for each ${granularity}, and a calendar has a row for each day`);
      return [];
    }
    if (taken.includes(name)) {
      warn('left out: a semantic model has its name');
      return [];
    }
    return [{ dataset: datasetOf(spine, relations), calendar: calendarOf(spine) }];
  });
  return { datasets: converted.map(({ dataset }) => dataset), calendars: converted.map(({ calendar }) => calendar) };
}

function calendarOf({ name, time_spine: own }: TimeSpine): Calendar {
  const grains = (own.custom_granularities ?? []).map((one) => ({
    name: one.name,
    field: one.column_name ?? one.name,
  }));
  return { dataset: name, date: own.standard_granularity_column, grains };
}

function datasetOf(spine: TimeSpine, relations: RelationNames): OsiDataset {
  const { date, grains } = calendarOf(spine);
  const field = (name: string, isTime?: true): OsiField =>
    present({
      name,
      expression: ansi(identifier(name)),
      dimension: isTime && { is_time: true },
      // Hidden, because requests name the periods as grains of other dates.
      custom_extensions: [serviceExtension({ display: { hidden: true } })].filter((one) => one !== undefined),
    });
  return present({
    name: spine.name,
    source: relations(`ref('${spine.name}')`),
    primary_key: [date],
    description: spine.description ?? 'Days and the periods that they are in.',
    fields: [field(date, true), ...[...new Set(grains.map((one) => one.field))].map((one) => field(one))],
  });
}
