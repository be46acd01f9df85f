/** Plans the rows of one dataset, as a request groups and filters them, with the node of each field. */

import { isMomentType } from '../../../../router/date-grains.ts';
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { nearestFirst } from '../../../query-surface/index.ts';
import type { Model } from '../../model/model.ts';
import { describePath, type Path, RelationshipGraph } from '../../model/relationship-graph.ts';
import type { Offset } from '../../model/template.ts';
import { joinPathsTo, relationshipsOf, viasOf } from '../joins/join-paths.ts';
import { placesOf } from '../nodes/conditions.ts';
import type { FactSubquery, Node, PlacedSpread, Plan } from '../nodes/plan.ts';
import type { Condition, ResolvedAmong, ResolvedGroup, ResolvedPlace, ResolvedQuery } from '../nodes/resolved-query.ts';
import { isElsewhere, type Spread } from '../nodes/shown-days.ts';
import { CALENDAR, calendarDate } from '../resolve/calendar-date.ts';
import { collectErrors } from './collect-errors.ts';
import { FactCalendar } from './fact-calendar.ts';
import { type FactRows, type FactRowsRequest, planFactRows } from './fact-rows.ts';
import { offsetRequest } from './offset/offset.ts';
import type { OffsetRequest } from './offset/offset-request.ts';
import { isOfDate } from './offset/shown-conditions.ts';

/**
 * Plans the rows that are aggregated. Records which relationships of each `via` some part of the query uses, so that an
 * unused one is refused.
 */
export class RowsPlanner {
  readonly query: ResolvedQuery;
  readonly model: Model;
  readonly graph: RelationshipGraph;
  readonly groups: readonly ResolvedGroup[];
  /** Plans of memberships, by their queries. */
  readonly amongs = new Map<ResolvedQuery, Plan>();
  /** The names of each `via` that some subquery uses, by field reference. */
  readonly #viaUsed = new Map<ResolvedPlace, ReadonlySet<string>>();
  readonly #bases: string[] = [];

  constructor(query: ResolvedQuery, model: Model) {
    this.query = query;
    this.model = model;
    this.graph = new RelationshipGraph(model);
    this.groups = [...query.rows, ...query.columns];
  }

  rowsRequest(base: string, purpose: string, bases: readonly string[]) {
    return {
      base,
      purpose,
      graph: this.graph,
      datasetsAt: (place: ResolvedPlace) => this.datasetsAt(place, bases),
      planOf: (among: ResolvedAmong) => {
        const planned = this.amongs.get(among.query);
        if (planned === undefined) throw new InternalError('a membership was not planned');
        return planned;
      },
    };
  }

  calendarOf(base: string, purpose: string): FactCalendar {
    return new FactCalendar(base, purpose, this.query.time, (place) => this.datasetsAt(place, [base]));
  }

  planRows(
    base: string,
    purpose: string,
    reads: readonly Path[],
    bases: readonly string[],
    request: Pick<FactRowsRequest, 'groups' | 'conditions'> = {
      groups: this.groups,
      conditions: this.query.conditions,
    },
    offset?: Offset,
  ): FactRows & Pick<FactSubquery, 'groups' | 'spread'> & { readonly isOfNoDay: boolean } {
    const calendar = this.calendarOf(base, purpose);
    const placedRequest = {
      groups: collectErrors(request.groups, (group) => calendar.place(group)),
      conditions: calendar.conditions(request.conditions),
      spread: undefined,
    };
    const {
      groups,
      conditions,
      spread,
      isOfNoDay = false,
    }: OffsetRequest = offset === undefined
      ? placedRequest
      : this.offset(offset, placedRequest.groups, placedRequest.conditions);
    const rows = planFactRows({ ...this.rowsRequest(base, purpose, bases), groups, conditions, reads });
    for (const [place, names] of rows.viaUsed) {
      this.#viaUsed.set(place, new Set([...(this.#viaUsed.get(place) ?? []), ...names]));
    }
    this.#bases.push(base);
    return {
      ...rows,
      isOfNoDay,
      groups: groups.map(({ field, via, grain }) => ({ field, via, grain })),
      spread: spread === undefined ? undefined : placedSpread(spread, groups, rows.groupNodes),
    };
  }

  /** Moves the groups and the filters of a request to an earlier time. */
  offset(offset: Offset, groups: readonly ResolvedGroup[], conditions: readonly Condition[]): OffsetRequest {
    // Moved places are new objects, so the `via` of the request's own places counts as used.
    for (const place of [...this.groups, ...placesOf(this.query.conditions)]) {
      if (isOfDate(place, offset)) this.#viaUsed.set(place, new Set(place.via));
    }
    return offsetRequest(offset, groups, conditions, { time: this.query.time });
  }

  /** Returns the only path from a metric's rows to another dataset that it reads. */
  pathOfRead(base: string, dataset: string, at: RequestPath): Path {
    const [path = [], ...others] = this.graph.directPaths(base, dataset);
    if (others.length === 0) return path;
    const paths = [path, ...others].map((one) => describePath(base, one)).join('; ');
    throw ValidationError.at(
      at,
      `${dataset} can be reached from ${base} along more than one path, and a metric cannot select one: ${paths}.`,
    );
  }

  /** Refuses a relationship in a `via` that no part of the query uses, because it has no effect. */
  refuseUnusedVia(metricBases: readonly string[]): void {
    // Where a subquery is refused, the relationships that it would have used are not a mistake.
    const refused = metricBases.filter((base) => !this.#bases.includes(base));
    const bases = [...this.#bases, ...refused];
    const [base] = bases;
    if (base === undefined) return;
    collectErrors([...this.groups, ...placesOf(this.query.conditions)], (place) => {
      const { path, field, via } = place;
      const open = refused.flatMap((from) => joinPathsTo(from, field.dataset, this.graph).flatMap(relationshipsOf));
      const unused = via.find((name) => this.#viaUsed.get(place)?.has(name) !== true && !open.includes(name));
      if (unused === undefined) return;
      throw ValidationError.at(
        [...path, 'via'],
        `No path from ${bases.join(' or ')} to ${field.dataset} goes along "${unused}".`,
        viasOf(joinPathsTo(base, field.dataset, this.graph)),
      );
    });
  }

  /**
   * Lists the datasets with fields that a place of the request may name, given the request's other names; the nearest
   * first.
   */
  datasetsAt(place: ResolvedPlace, bases: readonly string[]): readonly string[] {
    const groups: readonly ResolvedPlace[] = this.groups;
    const isGroup = groups.includes(place);
    const isOther = (group: ResolvedGroup) => group !== place && group.calendar === undefined;
    const others = isGroup ? this.groups.filter(isOther).map(({ field }) => field.dataset) : [];
    const names = [...this.model.datasets.values()].flatMap(({ name, fields }) => {
      const fits = bases.every((base) => this.#fits(base, name, others, isGroup));
      return fields.size > 0 && fits ? [name] : [];
    });
    const near = nearestFirst(place.field.dataset, names);
    return this.#meetsOnCalendar(place, bases) ? [CALENDAR.dataset, ...near] : near;
  }

  /** Returns whether the calendar's date may replace a date that some rows do not reach. */
  #meetsOnCalendar({ field: { type } }: ResolvedPlace, bases: readonly string[]): boolean {
    const calendar = isMomentType(type) ? calendarDate(this.model, bases) : undefined;
    return calendar !== undefined && bases.every((base) => calendar.mainDates.has(base));
  }

  /** Returns whether rows of `base` can be grouped or filtered by a dataset beside others. */
  #fits(base: string, dataset: string, others: readonly string[], isGroup: boolean): boolean {
    const reached = this.graph.reachable(base);
    if (dataset === base || reached.has(dataset)) return true;
    if (isGroup && this.model.datasets.get(base)?.rowKey === undefined && this.query.values.length > 0) return false;
    const beyond = others.filter((other) => other !== base && !reached.has(other));
    return this.graph.commonDatasets([base, dataset, ...beyond]).length > 0;
  }
}

/** Finds the place of a spread's date among moved groups. */
export function placedSpread(spread: Spread, groups: readonly ResolvedGroup[], nodes: readonly Node[]): PlacedSpread {
  const at = groups.findIndex((group) => group.path === spread.place.path && isElsewhere(group));
  const [place, node] = [groups[at], nodes[at]];
  if (place === undefined || node === undefined) throw new InternalError('a date that is moved has no place');
  return { by: { ...spread, place }, node };
}
