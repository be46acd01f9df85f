import type { Cube, DimensionLink, Located, Schema } from '../model.ts';
import type { Problems } from '../xml/problems.ts';
import { isMeasures } from './find-elements.ts';

type Item = Located & { readonly name: string };

/**
 * Reports every item with the same name as another, in the same letter case, because names are matched exactly first.
 *
 * @param compared returns the text by which names are compared; by default the name
 */
export function refuseDuplicates(
  what: string,
  items: readonly Item[],
  problems: Problems,
  compared: (name: string) => string = (name) => name,
): void {
  for (const twin of duplicatesOf(items, compared)) problems.error(twin, duplicateMessage(what, twin));
}

/**
 * Returns the schema without dimensions, measures and named sets that have the name of an earlier one in the cube.
 * Nothing can name them, so the schema is served with a warning.
 */
export function withoutDuplicates(schema: Schema, problems: Problems): Schema {
  return { ...schema, cubes: schema.cubes.map((cube) => withFirsts(cube, problems)) };
}

function withFirsts(cube: Cube, problems: Problems): Cube {
  const place = `in the cube "${cube.name}"`;
  const firsts = (what: string, items: readonly Item[]): ((item: Item) => boolean) => {
    const twins = new Set(duplicatesOf(items));
    for (const twin of twins)
      problems.warn(twin, `${duplicateMessage(`${what} ${place}`, twin)} The first one counts.`);
    return (item) => !twins.has(item);
  };
  const measures = cube.calculatedMembers.filter(({ hierarchy }) => isMeasures(hierarchy));
  const isFirstDimension = firsts('dimensions', cube.dimensions);
  const isFirstMeasure = firsts('measures', [...cube.measures, ...measures]);
  return {
    ...cube,
    dimensions: cube.dimensions.filter(isFirstDimension),
    measureGroups: cube.measureGroups.map((group) => ({ ...group, links: firstLinks(group.links) })),
    measures: cube.measures.filter(isFirstMeasure),
    calculatedMembers: cube.calculatedMembers.filter(isFirstMeasure),
    namedSets: cube.namedSets.filter(firsts('named sets', cube.namedSets)),
  };
}

function firstLinks(links: readonly DimensionLink[]): readonly DimensionLink[] {
  const first = new Map<string, DimensionLink>();
  for (const link of links) if (!first.has(link.dimension)) first.set(link.dimension, link);
  return [...first.values()];
}

/** Returns the items with the name of an earlier item. */
function duplicatesOf(items: readonly Item[], compared: (name: string) => string = (name) => name): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const name = compared(item.name);
    const isTwin = name !== '' && seen.has(name);
    seen.add(name);
    return isTwin;
  });
}

function duplicateMessage(what: string, { name }: Item): string {
  return `There are two ${what} with the name "${name}".`;
}
