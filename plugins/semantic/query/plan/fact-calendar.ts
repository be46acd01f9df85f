/** Replaces the calendar's date by the main date of one dataset. */
import { readMoment } from '../../../../router/calendar.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import { momentParameter } from '../nodes/date-range.ts';
import { grainName, grainOf, zoneOf } from '../nodes/grain.ts';
import type { Condition, Predicate, ResolvedAmong, ResolvedFilter, ResolvedPlace } from '../nodes/resolved-query.ts';
import { CALENDAR } from '../resolve/calendar-date.ts';

/** The places and conditions of a request for the rows of one dataset. */
export class FactCalendar {
  readonly #base: string;
  readonly #purpose: string;
  readonly #time: TimeSettings;
  readonly #available: (place: ResolvedPlace) => readonly string[];

  /** @param available datasets that may be at the place of a reference */
  constructor(
    base: string,
    purpose: string,
    time: TimeSettings,
    available: (place: ResolvedPlace) => readonly string[],
  ) {
    this.#base = base;
    this.#purpose = purpose;
    this.#time = time;
    this.#available = available;
  }

  /**
   * Returns a place with the dataset's main date instead of the calendar's date; any other place unchanged.
   *
   * @throws ValidationError where the dataset has no main date
   */
  place<Place extends ResolvedPlace>(place: Place): Place {
    const { calendar } = place;
    if (calendar === undefined) return place;
    const field = calendar.mainDates.get(this.#base);
    if (field === undefined) throw this.#withoutMainDate(place);
    const grain = place.grain && grainOf(grainName(place.grain), field, this.#time);
    return { ...place, field, calendar: undefined, grain };
  }

  conditions(conditions: readonly Condition[]): readonly Condition[] {
    return conditions.map((one): Condition => {
      if (one.kind === 'filter') return { kind: 'filter', filter: this.#filter(one.filter) };
      if (one.kind === 'among') return { kind: 'among', among: this.#among(one.among) };
      return { kind: one.kind, of: this.conditions(one.of) };
    });
  }

  /** Places the fields of a membership. Returns the same object where no field changes. */
  #among(among: ResolvedAmong): ResolvedAmong {
    const isOfCalendar = among.places.some(({ calendar }) => calendar !== undefined);
    return isOfCalendar ? { ...among, places: among.places.map((each) => this.place(each)) } : among;
  }

  #filter(filter: ResolvedFilter): ResolvedFilter {
    if (filter.calendar === undefined) return filter;
    const placed = this.place(filter);
    const isOfField = placed.grain === undefined || placed.test.kind === 'within';
    return isOfField ? { ...placed, test: this.#testOf(placed) } : placed;
  }

  /** Converts a test of days to a test of the field: for a timestamp, a day becomes a moment. */
  #testOf({ field, test }: ResolvedFilter): Predicate {
    const at = (parameter: Parameter): Parameter => {
      const day = parameter.type === 'date' && field.type !== 'date' ? readMoment(String(parameter.value)) : undefined;
      return day === undefined ? parameter : momentParameter(field, zoneOf(field, this.#time), day);
    };
    switch (test.kind) {
      case 'within':
        return { ...test, from: at(test.from), before: at(test.before) };
      case 'compare':
        return { ...test, value: at(test.value) };
      case 'between':
        return { ...test, low: at(test.low), high: at(test.high) };
      case 'in':
        return { ...test, values: test.values.map(at) };
      case 'null':
      case 'notNull':
        return test;
    }
  }

  #withoutMainDate(place: ResolvedPlace): ValidationError {
    return ValidationError.at(
      [...place.path, 'dataset'],
      `${this.#purpose} is of ${this.#base}, which has no main date that ${CALENDAR.dataset}.${CALENDAR.field} could represent. Name a date of its own, or declare one in the model: "time": {"main": "…"} in the SERVICE extension of the dataset ${this.#base}.`,
      this.#available(place),
    );
  }
}
