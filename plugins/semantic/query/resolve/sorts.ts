/** Resolves the sorts of a request among the parts that it shows. */
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { match, nearestFirst, type ProblemList } from '../../../query-surface/index.ts';
import type { Field } from '../../model/model.ts';
import type { SortItem } from '../../schemas.ts';
import { fieldKey, grainSuffix } from '../nodes/field-key.ts';
import { grainName, type ResolvedGrain } from '../nodes/grain.ts';
import type { ResolvedGroup, ResolvedSort, ResolvedValue } from '../nodes/resolved-query.ts';
import type { NameFinder } from './fields.ts';

/** The parts that a request shows. */
export interface Shown {
  readonly groups: readonly ResolvedGroup[];
  readonly values: readonly ResolvedValue[];
  /** True where every requested part was found; otherwise a sort without a match is no further problem. */
  readonly isWhole: boolean;
}

export class SortFinder {
  readonly #names: NameFinder;
  readonly #shown: Shown;
  readonly #problems: ProblemList;

  constructor(names: NameFinder, shown: Shown, problems: ProblemList) {
    this.#names = names;
    this.#shown = shown;
    this.#problems = problems;
  }

  sort(item: SortItem, path: RequestPath): readonly ResolvedSort[] {
    const { groups, values, isWhole } = this.#shown;
    const direction = item.direction?.toLowerCase() === 'desc' ? 'desc' : 'asc';
    if ((item.metric === undefined) === (item.field === undefined)) {
      const message =
        item.metric === undefined ? 'A sort needs a metric or a field.' : 'A sort names a metric or a field, not both.';
      this.#problems.add(path, message, [...values.map(({ metric }) => metric.name), ...groups.map(fieldKey)]);
      return [];
    }
    if (item.metric === undefined) {
      const index = this.#groupIndex(item, path);
      return index === undefined ? [] : [{ by: 'group', index, direction }];
    }
    const metrics = values.map(({ metric }) => metric);
    if (!isWhole && match(item.metric, metrics).kind === 'none') return [];
    const place = [...path, 'metric'];
    const metric = this.#names.named(item.metric, metrics, place, 'metric', ' among the values of this query');
    return metric === undefined ? [] : [{ by: 'value', index: metrics.indexOf(metric), direction }];
  }

  #groupIndex(item: SortItem, path: RequestPath): number | undefined {
    const { groups, isWhole } = this.#shown;
    const named = item.dataset === undefined ? (item.field ?? '') : `${item.dataset}.${item.field}`;
    const fieldName = `${named}${grainSuffix(item.grain)}`;
    const problems = this.#problems.count;
    const via = this.#names.via(item.via, undefined, path);
    if (this.#problems.count > problems) return undefined;
    const isMeant = (group: ResolvedGroup) =>
      (item.via === undefined || via.join() === group.via.join()) &&
      (fieldName === fieldKey(group) ||
        (this.#names.isMeant(named, group.field) &&
          (item.grain === undefined || item.grain === (group.grain && grainName(group.grain)))) ||
        (group.grain !== undefined && this.#isMeantAtGrain(fieldName, group.field, group.grain)));
    const exact = groups.findIndex((group) => item.via === undefined && fieldName === fieldKey(group));
    const [index, ...others] = exact >= 0 ? [exact] : groups.flatMap((group, at) => (isMeant(group) ? [at] : []));
    if (index !== undefined && others.length === 0) return index;
    const keys = groups.map(fieldKey);
    const place = [...path, 'field'];
    if (index !== undefined) {
      const meant = [index, ...others].flatMap((at) => keys[at] ?? []);
      this.#problems.add(place, `"${short(fieldName)}" may mean ${meant.join(' or ')}; name one of them.`, meant);
    } else if (isWhole) {
      const message = `There is no field "${short(fieldName)}" among the rows and columns of this query.`;
      this.#problems.add(place, message, () => nearestFirst(fieldName, keys));
    }
    return undefined;
  }

  /** Returns whether a text is a field with its grain behind it: `orders.order_date.month`. */
  #isMeantAtGrain(fieldName: string, field: Field, grain: ResolvedGrain): boolean {
    const suffix = grainSuffix(grainName(grain));
    return fieldName.endsWith(suffix) && this.#names.isMeant(fieldName.slice(0, -suffix.length), field);
  }
}
