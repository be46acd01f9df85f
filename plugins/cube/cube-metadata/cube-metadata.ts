/**
 * A cube as one caller sees it, with all names of its elements. Hidden elements and personal data are left out, so that
 * all later steps report them as unknown.
 */
import type { CertifiedAnswer } from '../../../router/certified-answer.ts';
import type { Named } from '../../query-surface/index.ts';
import type { CubeDescription, DescribedHierarchy, DescribedMeasure } from '../mdx/index.ts';
import type { Aggregator } from '../schema/aggregators.ts';
import { certifiedAnswersOf } from '../schema/check/certified-answers.ts';
import { bracketedNames } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';
import { type Annotations, annotationsOf } from './semantic-annotations.ts';

/** An element that requests name: by its name, or by its synonyms. */
interface Nameable extends Named {
  readonly uniqueName: string;
  readonly caption: string;
  /** The unique name, the caption and the names that the schema's author lists. */
  readonly synonyms: readonly string[];
  /** The names that the schema's author lists, and a caption that differs from the name. */
  readonly aliases: readonly string[];
  readonly annotations: Annotations;
}

export interface MeasureMetadata extends Nameable {
  readonly aggregationKind: string;
  readonly unit: string | undefined;
  /** True if its values count rows or things. */
  readonly counts: boolean;
  /** The measure groups of the facts from which it is computed. */
  readonly groups: readonly string[];
  readonly formatString: string | undefined;
  /** True if it is stored. Only stored measures can be drilled through. */
  readonly stored: boolean;
  readonly aggregator: Aggregator | undefined;
  /** `false` if the schema hides it in lists. Requests can still name it. */
  readonly offered: boolean;
}

export interface LevelMetadata extends Nameable {
  readonly depth: number;
  readonly isAll: boolean;
  readonly levelType: model.LevelType;
  readonly approxRowCount: number | undefined;
  /** True if its members are parents and children of each other. */
  readonly isParentChild: boolean;
  /** True if some of its members may be hidden, so that a member above has none on this level. */
  readonly isRagged: boolean;
  readonly offered: boolean;
}

export interface HierarchyMetadata extends Nameable {
  readonly hasAll: boolean;
  /** True when a query that does not name it includes all of it. */
  readonly isWholeByDefault: boolean;
  /** The levels from the topmost, including the all level. */
  readonly levels: readonly LevelMetadata[];
  readonly offered: boolean;
}

export interface DimensionMetadata extends Nameable {
  readonly type: 'standard' | 'time';
  readonly hierarchies: readonly HierarchyMetadata[];
  /** The measure groups with facts that reach it. */
  readonly groups: readonly string[];
  readonly offered: boolean;
}

export interface CubeMetadata {
  readonly name: string;
  readonly caption: string;
  readonly annotations: Annotations;
  readonly measures: readonly MeasureMetadata[];
  readonly dimensions: readonly DimensionMetadata[];
  readonly defaultMeasure: string;
  readonly certified: readonly CertifiedAnswer[];
}

/** @param grants names of the measures that roles grant the caller by name, as the grants write them */
export function cubeMetadata(description: CubeDescription, grants: ReadonlySet<string>): CubeMetadata {
  const { cube } = description;
  const meant = namesOf(cube);
  const personal = personalNames(cube, meant);
  const seen = new Set(description.measures.map(({ of }) => of.name));
  const unseen = cube.measures.filter(({ name, implied }) => !implied && !seen.has(name));
  const withheld = closure(cube, new Set(unseen.map(({ name }) => name)), meant);
  const granted = new Set([...grants].flatMap((name) => meant(name)));
  const measures = description.measures
    // Only MDX may name it. Its figures are sizes of groups, which nobody decided to show.
    .filter(({ of }) => !('isFactCount' in of && of.isFactCount))
    // A calculation would reveal the data from which it is computed.
    .filter(({ of }) => !personal.has(of.name))
    .filter(({ of }) => granted.has(of.name) || !withheld.has(of.name))
    .flatMap((measure) => measureMetadata(measure, cube, meant));
  const dimensions = description.dimensions.flatMap(({ uniqueName, of, hierarchies }) => {
    const annotations = annotationsOf(of);
    const shown = hierarchies.flatMap(hierarchyMetadata);
    if (annotations.pii || shown.length === 0) return [];
    return [
      {
        ...nameable(of, uniqueName, annotations),
        type: of.type,
        hierarchies: shown,
        groups: groupsKnowing(of, cube),
        offered: of.visible,
      },
    ];
  });
  const named = measures.find(({ name }) => name === (cube.defaultCalculation ?? cube.defaultMeasure));
  return {
    name: cube.name,
    caption: cube.caption ?? cube.name,
    annotations: annotationsOf(cube),
    measures,
    dimensions,
    defaultMeasure: (named ?? measures[0])?.name ?? '',
    certified: certifiedAnswersOf(cube),
  };
}

function groupsKnowing({ name }: model.Dimension, { measureGroups }: model.Cube): readonly string[] {
  return measureGroups
    .filter(({ links }) => links.some(({ dimension }) => dimension === name))
    .map((group) => group.name);
}

function nameable(
  { name, caption }: Pick<model.Described, 'name' | 'caption'>,
  uniqueName: string,
  annotations: Annotations,
) {
  const aliases = [...(caption === undefined || caption === name ? [] : [caption]), ...annotations.synonyms];
  return {
    name,
    uniqueName,
    caption: caption ?? name,
    aliases: [...new Set(aliases)],
    synonyms: [...new Set([uniqueName, ...aliases])],
    annotations,
  };
}

function measureMetadata(
  { uniqueName, of }: DescribedMeasure,
  cube: model.Cube,
  meant: NamesOf,
): readonly MeasureMetadata[] {
  const annotations = annotationsOf(of);
  if (annotations.pii) return [];
  const stored = 'aggregator' in of;
  const aggregationKind = annotations.aggregationKind ?? (stored ? of.aggregator : 'calculated');
  return [
    {
      ...nameable(of, uniqueName, annotations),
      aggregationKind,
      unit: annotations.unit,
      counts: /^(distinct[-_ ]?count|count([-_ ]?distinct)?)$/i.test(aggregationKind),
      groups: stored ? [of.group] : groupsOf(of, cube, meant),
      formatString: of.formatString,
      stored,
      aggregator: stored ? of.aggregator : undefined,
      offered: of.visible,
    },
  ];
}

/** Returns the names of measures and levels that are marked as personal data. */
function personalNames(cube: model.Cube, meant: NamesOf): ReadonlySet<string> {
  const measures = [...cube.measures, ...cube.calculatedMembers].filter((each) => annotationsOf(each).pii);
  const levels = cube.dimensions.flatMap(({ hierarchies }) =>
    hierarchies.flatMap(({ levels }) => levels.filter((each) => annotationsOf(each).pii)),
  );
  return closure(cube, new Set([...measures, ...levels].map(({ name }) => name)), meant);
}

/** Returns the names, together with the calculated members that are computed from them directly or indirectly. */
function closure({ calculatedMembers }: model.Cube, names: ReadonlySet<string>, meant: NamesOf): ReadonlySet<string> {
  const all = new Set(names);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { name, formula } of calculatedMembers) {
      if (bracketedNames(formula).some((each) => meant(each).some((other) => all.has(other)))) all.add(name);
    }
  }
  return all;
}

/**
 * Returns the names of measures and levels that a written name may mean: the exact name, or else the names that match
 * in any letter case.
 */
type NamesOf = (written: string) => readonly string[];

function namesOf({ measures, calculatedMembers, dimensions }: model.Cube): NamesOf {
  const levels = dimensions.flatMap(({ hierarchies }) => hierarchies.flatMap((hierarchy) => hierarchy.levels));
  const exact = new Set([...measures, ...calculatedMembers, ...levels].map(({ name }) => name));
  const folded = new Map<string, string[]>();
  for (const name of exact) folded.set(name.toLowerCase(), [...(folded.get(name.toLowerCase()) ?? []), name]);
  return (written) => (exact.has(written) ? [written] : (folded.get(written.toLowerCase()) ?? []));
}

/**
 * Returns the measure groups of the stored measures that a formula uses, directly or indirectly. Returns all groups if
 * it names none.
 */
function groupsOf({ formula, name }: model.CalculatedMember, cube: model.Cube, meant: NamesOf): readonly string[] {
  const groups = new Set<string>();
  const seen = new Set<string>([name]);
  const visit = (mdx: string): void => {
    const names = new Set(bracketedNames(mdx).flatMap(meant));
    for (const measure of cube.measures) if (names.has(measure.name)) groups.add(measure.group);
    for (const other of cube.calculatedMembers) {
      if (seen.has(other.name) || !names.has(other.name)) continue;
      seen.add(other.name);
      visit(other.formula);
    }
  };
  visit(formula);
  return groups.size > 0 ? [...groups] : cube.measureGroups.map((group) => group.name);
}

function hierarchyMetadata({ name, uniqueName, of, levels }: DescribedHierarchy): readonly HierarchyMetadata[] {
  const annotations = annotationsOf(of);
  if (annotations.pii) return [];
  const shown: LevelMetadata[] = [];
  for (const level of levels) {
    const levelAnnotations = annotationsOf(level.of ?? { annotations: new Map(), description: undefined });
    // Unique names of lower members contain the names of their parents.
    if (levelAnnotations.pii) break;
    const described = { name: level.name, caption: level.of?.caption };
    shown.push({
      ...nameable(described, level.uniqueName, levelAnnotations),
      depth: level.depth,
      isAll: level.of === undefined,
      levelType: level.of?.levelType ?? 'Regular',
      approxRowCount: level.of?.approxRowCount,
      isParentChild: level.of?.parent !== undefined,
      isRagged: level.of !== undefined && level.of.hideMemberIf !== 'never',
      offered: level.of?.visible ?? true,
    });
  }
  if (shown.every(({ isAll }) => isAll)) return [];
  return [
    {
      ...nameable({ name, caption: of.caption }, uniqueName, annotations),
      // `Time.Weekly` is also called `Weekly`.
      synonyms: [
        ...new Set([uniqueName, of.name, ...(of.caption === undefined ? [] : [of.caption]), ...annotations.synonyms]),
      ],
      hasAll: of.hasAll,
      isWholeByDefault: of.hasAll && of.defaultMember === undefined,
      levels: shown,
      offered: of.visible,
    },
  ];
}
