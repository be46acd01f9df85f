/** Finds the names of a request in the model that the caller may see: datasets, fields, and relationships between them. */

import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { match, type Named, nearestFirst, type ProblemList } from '../../../query-surface/index.ts';
import type { Dataset, Field, Model } from '../../model/model.ts';
import { RelationshipGraph } from '../../model/relationship-graph.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { FieldItem } from '../../schemas.ts';
import { joinPathsTo, viasOf } from '../joins/join-paths.ts';
import { fieldKey, VIA_SEPARATOR } from '../nodes/field-key.ts';
import type { CalendarDate, ResolvedPlace } from '../nodes/resolved-query.ts';
import { CALENDAR, calendarDate, calendarField } from './calendar-date.ts';
import { findGrain } from './grains.ts';

/** The most dots of a text that are tried as the end of a dataset's name. */
const MAX_DOTS = 20;

export class NameFinder {
  readonly #model: Model;
  readonly #problems: ProblemList;
  readonly #metricDatasets: readonly string[];
  readonly #facts: readonly string[];
  #calendar: { readonly date: CalendarDate; readonly field: Field } | undefined;

  /**
   * @param metricDatasets datasets that the request's metrics read: paths to its fields begin there
   * @param facts datasets that they aggregate
   */
  constructor(
    model: Model,
    problems: ProblemList,
    metricDatasets: readonly string[] = [],
    facts: readonly string[] = [],
  ) {
    this.#model = model;
    this.#problems = problems;
    this.#metricDatasets = metricDatasets;
    this.#facts = facts;
  }

  /** Finds a field, or the calendar's date where that is named. */
  date(item: FieldItem, path: RequestPath): { readonly field: Field; readonly calendar?: CalendarDate } | undefined {
    const isOurs = match(item.dataset, [{ name: CALENDAR.dataset }]).kind === 'one';
    const calendar = isOurs ? this.#ofCalendar() : undefined;
    if (calendar === undefined) {
      const field = this.field(item, path);
      return field && { field };
    }
    const { date, field } = calendar;
    const named = this.named(item.field, [field], [...path, 'field'], 'field', ` in ${CALENDAR.dataset}`);
    return named && { field, calendar: date };
  }

  /** Returns the calendar's date: the same field wherever the request names it. */
  #ofCalendar() {
    if (this.#calendar !== undefined) return this.#calendar;
    const date = calendarDate(this.#model, this.#facts);
    if (date !== undefined) this.#calendar = { date, field: calendarField(date) };
    return this.#calendar;
  }

  /**
   * Finds the thing that a name means among several; a name without a match is a problem at `path`.
   *
   * @param where a phrase for the place that was searched, with a space before it
   */
  named<Item extends Named>(
    name: string,
    items: readonly Item[],
    path: RequestPath,
    what: string,
    where = '',
  ): Item | undefined {
    const result = match(name, items);
    if (result.kind === 'one') return result.item;
    if (result.kind === 'several') {
      const names = result.items.map(({ name }) => name);
      this.#problems.add(path, `"${short(name)}" may mean ${names.join(' or ')}; name one of them.`, names);
      return undefined;
    }
    this.#problems.add(path, `There is no ${what} "${short(name)}"${where}.`, () =>
      nearestFirst(
        name,
        items.map(({ name }) => name),
      ),
    );
    return undefined;
  }

  field({ dataset, field }: FieldItem, path: RequestPath): Field | undefined {
    const namedDataset = this.named(dataset, [...this.#model.datasets.values()], [...path, 'dataset'], 'dataset');
    if (namedDataset === undefined) return undefined;
    return this.named(
      field,
      [...namedDataset.fields.values()],
      [...path, 'field'],
      'field',
      ` in ${namedDataset.name}`,
    );
  }

  /** Finds relationships, in the model's spelling. One text may contain several, as in `available` and column keys. */
  via(via: FieldItem['via'], field: Field | undefined, path: RequestPath): readonly string[] {
    if (via === undefined) return [];
    const find = (name: string) => {
      const relationship = match(name, this.#model.relationships);
      return relationship.kind === 'one' ? [relationship.item.name] : [];
    };
    const whole = typeof via === 'string' ? find(via) : [];
    if (whole.length > 0) return whole;
    const names = typeof via === 'string' ? via.split(VIA_SEPARATOR).map((name) => name.trim()) : via;
    return names.flatMap((name) => {
      const relationships = find(name);
      if (relationships.length === 0) {
        const where = field === undefined ? '' : ` that leads to ${field.dataset}`;
        this.#problems.add([...path, 'via'], `There is no relationship "${short(name)}"${where}.`, () =>
          this.#viasTo(name, field),
        );
      }
      return relationships;
    });
  }

  /** Lists the values for `via` that distinguish the paths to the dataset, from all datasets of the request's metrics. */
  #viasTo(name: string, field: Field | undefined): readonly string[] {
    if (field === undefined) return this.#model.relationships.map(({ name }) => name);
    const graph = new RelationshipGraph(this.#model);
    const read = this.#metricDatasets.length > 0 ? this.#metricDatasets : [...this.#model.datasets.keys()];
    const names = read.flatMap((base) => viasOf(joinPathsTo(base, field.dataset, graph)));
    return nearestFirst(name, [...new Set(names)]);
  }

  /** Returns whether a text names a field as `dataset.field`. Names may contain dots, so every split is tried. */
  isMeant(fieldName: string, field: Field): boolean {
    if (fieldName === fieldKey({ field, via: [] })) return true;
    const dataset: Dataset | undefined = this.#model.datasets.get(field.dataset);
    if (dataset === undefined) return false;
    const dots = [...fieldName.matchAll(/\./g)].slice(0, MAX_DOTS);
    return dots.some(({ index }) => {
      const named = match(fieldName.slice(0, index), [...this.#model.datasets.values()]);
      if (named.kind !== 'one' || named.item !== dataset) return false;
      const fieldMatch = match(fieldName.slice(index + 1), [...dataset.fields.values()]);
      return fieldMatch.kind === 'one' && fieldMatch.item === field;
    });
  }
}

/** Finds a reference to a field, with the `via` and the grain that it names. */
export function findPlace(
  item: FieldItem,
  path: RequestPath,
  names: NameFinder,
  time: TimeSettings,
  problems: ProblemList,
): readonly ResolvedPlace[] {
  const date = names.date(item, path);
  const via = names.via(item.via, date?.field, path);
  const isImplied = date?.calendar !== undefined && item.grain === undefined;
  const grain = findGrain(isImplied ? 'day' : item.grain, date?.field, path, time, problems);
  return date === undefined
    ? []
    : [{ path, ...date, via, grain: grain && isImplied ? { ...grain, isImplied } : grain }];
}
