/** Resolves a request. Names are resolved among what the caller may see, and all mistakes are reported together. */
import type { RequestPath } from '../../../../router/path.ts';
import { ProblemList } from '../../../query-surface/index.ts';
import type { AxisItem, CubeQueryRequest, FilterItem } from '../../api/schemas.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import type { CubeMetadata, HierarchyMetadata, LevelMetadata } from '../../cube-metadata/cube-metadata.ts';
import { MAX_MEMBERS_IN_ALL } from '../../limits.ts';
import { type FoundMember, MemberFinder } from './find-members.ts';
import { findMeasure, findPlace, type Place } from './find-names.ts';
import { beginningOf, isFineEnough, periodUnit, windowOf } from './resolve-relative-periods.ts';
import type { AxisSelection, Condition, ResolvedOrder, ResolvedQuery, SlicerSelection } from './resolved-query.ts';

export interface ResolveOptions {
  readonly nowMillis: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Resolves the names and the members of a request.
 *
 * @throws ValidationError with every mistake
 */
export async function resolve(
  request: CubeQueryRequest,
  target: CubeTarget,
  { nowMillis, signal }: ResolveOptions,
): Promise<ResolvedQuery> {
  const mistakes = new ProblemList();
  refuseManyMembers(request, mistakes);
  const { view } = target;
  const finder = new MemberFinder(target, signal);
  const measures = request.measures.flatMap(
    ({ name }, index) => findMeasure(name, view, ['measures', index, 'name'], mistakes) ?? [],
  );
  const rows = await axisItems(request.rows ?? [], 'rows', view, finder, mistakes);
  const columns = await axisItems(request.columns ?? [], 'columns', view, finder, mistakes);
  const filters = await filterItems(request.filters ?? [], view, finder, nowMillis, mistakes);
  const order = (request.order ?? []).flatMap(({ by, direction }, index): readonly ResolvedOrder[] => {
    const measure = findMeasure(by, view, ['order', index, 'by'], mistakes);
    return measure === undefined ? [] : [{ measure, direction: direction?.toLowerCase() === 'desc' ? 'desc' : 'asc' }];
  });

  const rowSelections = selections(rows, filters, 'rows', mistakes);
  const columnSelections = selections(columns, filters, 'columns', mistakes);
  for (const { item, hierarchy } of columns) {
    const other = rows.find((row) => row.hierarchy === hierarchy);
    if (other === undefined) continue;
    mistakes.add(
      ['columns', item, 'dimension'],
      `${hierarchy.name} stands in rows already; a hierarchy is in rows or in columns.`,
    );
  }
  requireFilters(measures, [...rows, ...columns], filters, mistakes);
  mistakes.throwAll();
  const onAxes = new Set([...rows, ...columns].map(({ hierarchy }) => hierarchy));
  return {
    cube: view.name,
    rows: rowSelections,
    columns: columnSelections,
    slicer: slicerOf(filters.filter(({ hierarchy }) => !onAxes.has(hierarchy))),
    measures: [...new Set(measures)],
    order,
    limit: request.limit,
    nonEmpty: request.nonEmpty ?? true,
    visualTotals: request.visualTotals ?? false,
  };
}

/** Refuses too many members before the first is looked up, because each is written into the MDX. */
function refuseManyMembers({ rows = [], columns = [], filters = [] }: CubeQueryRequest, mistakes: ProblemList): void {
  let named = 0;
  for (const [member, items] of Object.entries({ rows, columns, filters })) {
    for (const [index, { members = [] }] of items.entries()) {
      named += members.length;
      if (named <= MAX_MEMBERS_IN_ALL) continue;
      mistakes.add([member, index, 'members'], `A request names at most ${MAX_MEMBERS_IN_ALL} members in all.`);
      mistakes.throwAll();
    }
  }
}

interface ResolvedItem extends Place {
  /** The index in its list. */
  readonly item: number;
  readonly key: string;
  /** `undefined` for members of several levels. */
  readonly shown: LevelMetadata | undefined;
  readonly members: readonly FoundMember[] | undefined;
}

async function axisItems(
  items: readonly AxisItem[],
  list: string,
  view: CubeMetadata,
  finder: MemberFinder,
  mistakes: ProblemList,
): Promise<readonly ResolvedItem[]> {
  const resolved: ResolvedItem[] = [];
  for (const [item, written] of items.entries()) {
    const path = [list, item];
    const place = findPlace(written, view, path, mistakes);
    if (place === undefined) continue;
    const members =
      written.members === undefined
        ? undefined
        : await findMembers(written.members, place.hierarchy, place.level, path, finder, mistakes);
    if (written.members !== undefined && members === undefined) continue;
    const levels = [...new Set(members?.map(({ level }) => level))];
    const single = levels.length > 1 ? undefined : (levels[0] ?? topmost(place.hierarchy));
    resolved.push({ ...place, item, key: axisItemKey(written), shown: place.level ?? single, members });
  }
  return resolved;
}

/** Returns the key of an answer's dimension in the words of the request. */
export function axisItemKey({
  dimension,
  hierarchy,
  level,
}: Pick<AxisItem, 'dimension' | 'hierarchy' | 'level'>): string {
  return [dimension, hierarchy, level].filter((part) => part !== undefined).join('.');
}

function topmost({ levels }: HierarchyMetadata): LevelMetadata | undefined {
  return levels.find(({ isAll }) => !isAll) ?? levels[0];
}

/** A message about a member that was not found, or found several times, which reveals no other members. */
export const NOT_ONE_MEMBER =
  'This is not exactly one member of that level. Write its caption as the question does, try another level, or leave it out.';

async function findMembers(
  texts: readonly string[],
  hierarchy: HierarchyMetadata,
  level: LevelMetadata | undefined,
  path: RequestPath,
  finder: MemberFinder,
  mistakes: ProblemList,
): Promise<readonly FoundMember[] | undefined> {
  const matches = await finder.find(texts, hierarchy, level);
  const members = new Map<string, FoundMember>();
  let whole = true;
  for (const [index, match] of matches.entries()) {
    if (match.kind === 'one') members.set(match.member.uniqueName, match.member);
    else {
      whole = false;
      mistakes.add([...path, 'members', index], match.message, match.available, NOT_ONE_MEMBER);
    }
  }
  return whole ? [...members.values()] : undefined;
}

interface ResolvedFilter {
  readonly hierarchy: HierarchyMetadata;
  readonly place: Place;
  readonly condition: Condition;
}

async function filterItems(
  items: readonly FilterItem[],
  view: CubeMetadata,
  finder: MemberFinder,
  nowMillis: number,
  mistakes: ProblemList,
): Promise<readonly ResolvedFilter[]> {
  const resolved: ResolvedFilter[] = [];
  for (const [index, item] of items.entries()) {
    const path = ['filters', index];
    const place = findPlace(item, view, path, mistakes);
    if (place === undefined) continue;
    const condition =
      item.op === 'relative'
        ? await relativeCondition(item, place, path, finder, nowMillis, mistakes)
        : await memberCondition(item, place, path, finder, mistakes);
    if (condition !== undefined) resolved.push({ hierarchy: place.hierarchy, place, condition });
  }
  return resolved;
}

async function memberCondition(
  { op = 'in', members: texts, value, n }: FilterItem,
  { hierarchy, level }: Place,
  path: RequestPath,
  finder: MemberFinder,
  mistakes: ProblemList,
): Promise<Condition | undefined> {
  if (value !== undefined) mistakes.add([...path, 'value'], 'value belongs to the op relative.');
  if (n !== undefined) mistakes.add([...path, 'n'], 'n belongs to the op relative.');
  if (texts === undefined) {
    mistakes.add([...path, 'members'], `The op ${op} needs members.`);
    return undefined;
  }
  const anywhere = op === 'descendants_of';
  const members = await findMembers(texts, hierarchy, anywhere ? undefined : level, path, finder, mistakes);
  const [first, second] = members ?? [];
  if (members === undefined || first === undefined) return undefined;
  if (op === 'descendants_of') {
    const below = level ?? first.level;
    const deeper = members.find((member) => member.level.depth > below.depth);
    if (level !== undefined && deeper !== undefined) {
      const above = `The level ${level.name} is above`;
      mistakes.add(
        [...path, 'level'],
        `${above} the member ${deeper.uniqueName}.`,
        undefined,
        `${above} one of the members, which is of the level ${deeper.level.name}.`,
      );
      return undefined;
    }
    const same = level === undefined && members.every((member) => member.level === first.level);
    if (level === undefined && !same) {
      mistakes.add(
        [...path, 'level'],
        'The members are of several levels: say of which level the descendants are meant.',
      );
      return undefined;
    }
    return { kind: 'descendants_of', level: below, members };
  }
  const other = members.find((member) => member.level !== first.level);
  if (other !== undefined) {
    const message = `All members are of one level; ${first.uniqueName} is of ${first.level.name}, ${other.uniqueName} of ${other.level.name}.`;
    const levels = `All members are of one level; these are of ${first.level.name} and of ${other.level.name}.`;
    mistakes.add([...path, 'members'], message, undefined, levels);
    return undefined;
  }
  if (op === 'between') {
    if (texts.length !== 2) {
      mistakes.add([...path, 'members'], 'between takes two members: the first and the last.');
      return undefined;
    }
    return { kind: 'between', level: first.level, first, last: second ?? first };
  }
  return { kind: op === 'not_in' ? 'not_in' : 'in', level: first.level, members };
}

async function relativeCondition(
  { value, n = 1, members }: FilterItem,
  { hierarchy, level }: Place,
  path: RequestPath,
  finder: MemberFinder,
  nowMillis: number,
  mistakes: ProblemList,
): Promise<Condition | undefined> {
  if (members !== undefined) mistakes.add([...path, 'members'], 'The op relative takes value, and no members.');
  if (value === undefined) {
    mistakes.add([...path, 'value'], 'The op relative needs a value, such as last_n_months.');
    return undefined;
  }
  const dated = hierarchy.levels.filter(({ levelType }) => {
    const unit = periodUnit(levelType);
    return unit !== undefined && isFineEnough(unit, value);
  });
  const chosen = level ?? dated[0];
  const unit = chosen === undefined ? undefined : periodUnit(chosen.levelType);
  if (chosen === undefined || unit === undefined || !dated.includes(chosen)) {
    const what = chosen === undefined ? `The hierarchy ${hierarchy.name}` : `The level ${chosen.name}`;
    const message = `${what} cannot express ${value}: it takes a level of years, quarters, months or days that is no coarser than that.`;
    mistakes.add(
      [...path, 'level'],
      message,
      dated.map(({ name }) => name),
    );
    return undefined;
  }
  const [from, to] = windowOf(value, n, unit, nowMillis);
  const all = await finder.all(chosen);
  const dates = all.map((member) => ({ member, begins: beginningOf(member) }));
  if (all.length > 0 && dates.every(({ begins }) => begins === undefined)) {
    mistakes.add([...path, 'level'], `The members of the level ${chosen.name} cannot be read as dates.`);
    return undefined;
  }
  const isMeant = dates.map(({ begins }) => begins !== undefined && begins >= from && begins <= to);
  const meant = all
    .filter((_, index) => isMeant[index])
    .map(({ uniqueName, caption }) => ({ uniqueName, caption, level: chosen }));
  const [first] = meant;
  const last = meant.at(-1);
  // Selected days are usually consecutive. A range has the same length in MDX for ten thousand days as for two.
  const isRow = isMeant.lastIndexOf(true) - isMeant.indexOf(true) + 1 === meant.length;
  if (isRow && first !== undefined && last !== undefined && meant.length > 2)
    return { kind: 'between', level: chosen, first, last };
  return { kind: 'in', level: chosen, members: meant };
}

/**
 * Resolves the selection of each hierarchy on an axis. Several levels of one hierarchy become one selection of the
 * lowest level.
 */
function selections(
  items: readonly ResolvedItem[],
  filters: readonly ResolvedFilter[],
  list: string,
  mistakes: ProblemList,
): readonly AxisSelection[] {
  const hierarchies = [...new Set(items.map(({ hierarchy }) => hierarchy))];
  return hierarchies.flatMap((hierarchy): readonly AxisSelection[] => {
    const ofHierarchy = items.filter((item) => item.hierarchy === hierarchy);
    const filtered = filters.filter((filter) => filter.hierarchy === hierarchy).map(({ condition }) => condition);
    const [first, second] = ofHierarchy;
    const top = topmost(hierarchy);
    if (first === undefined || top === undefined) return [];
    if (ofHierarchy.some(({ shown }) => shown === undefined)) {
      if (second === undefined && filtered.length === 0) {
        const shown = [{ level: { ...top, caption: hierarchy.caption }, key: first.key }] as const;
        return [{ dimension: first.dimension, hierarchy, shown, mixed: first.members, conditions: [] }];
      }
      const message =
        'These members are of several levels; beside another item or filter of the hierarchy name one level.';
      mistakes.add([list, first.item, 'members'], message);
      return [];
    }
    const levels = ofHierarchy
      .flatMap(({ shown, key }) => (shown === undefined ? [] : [{ level: shown, key }]))
      .toSorted((left, right) => left.level.depth - right.level.depth);
    const unique = levels.filter(({ level }, index) => levels.findIndex((each) => each.level === level) === index);
    const [topShown, ...otherShown] = unique;
    if (topShown === undefined) return [];
    const conditions = ofHierarchy.flatMap(({ members, shown }): readonly Condition[] =>
      members === undefined || shown === undefined ? [] : [{ kind: 'in', level: shown, members, isOrdered: true }],
    );
    return [
      {
        dimension: first.dimension,
        hierarchy,
        shown: [topShown, ...otherShown],
        mixed: undefined,
        conditions: [...conditions, ...filtered],
      },
    ];
  });
}

function slicerOf(filters: readonly ResolvedFilter[]): readonly SlicerSelection[] {
  return [...new Set(filters.map(({ hierarchy }) => hierarchy))].flatMap((hierarchy) => {
    const [first, ...others] = filters.filter((filter) => filter.hierarchy === hierarchy).map((each) => each.condition);
    return first === undefined ? [] : [{ hierarchy, conditions: [first, ...others] as const }];
  });
}

/** Checks that the request filters or shows the levels without which a measure is meaningless (`required_filters`). */
function requireFilters(
  measures: readonly { readonly name: string; readonly annotations: { readonly requiredFilters: readonly string[] } }[],
  items: readonly ResolvedItem[],
  filters: readonly ResolvedFilter[],
  mistakes: ProblemList,
): void {
  const chosen = [...filters.map(({ place, condition }) => ({ ...place, level: condition.level })), ...items].flatMap(
    ({ dimension, hierarchy, level }) => [dimension.name, hierarchy.uniqueName, level?.name, level?.uniqueName],
  );
  const has = new Set(chosen.map((name) => name?.toLowerCase()));
  for (const { name, annotations } of measures) {
    const missing = annotations.requiredFilters.filter((each) => !has.has(each.toLowerCase()));
    if (missing.length === 0) continue;
    const message = `The measure ${name} needs a choice of ${missing.join(' and ')}: filter by it, or show it.`;
    mistakes.add(['filters'], message, missing);
  }
}
