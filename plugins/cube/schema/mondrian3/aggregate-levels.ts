import { elementsOf, type XmlElement } from '../../../xml/index.ts';
import { sameName, segmentsOf } from '../mdx-name.ts';
import type { Dimension, Level } from '../model.ts';
import { flag, lineOf, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';

/**
 * Refuses an aggregate table that has only the key of a level (`collapsed="false"`) if the key does not identify the
 * level's members. This engine does not use aggregate tables, but such a schema is wrong for every engine.
 */
export function checkAggregateLevels(cube: XmlElement, dimensions: readonly Dimension[], problems: Problems): void {
  const tables = elementsOf(cube, 'Table').flatMap((table) => elementsOf(table, 'AggName', 'AggPattern'));
  for (const element of tables.flatMap((table) => elementsOf(table, 'AggLevel'))) {
    if (flag(element, 'collapsed', true, problems)) continue;
    const written = text(element, 'name') ?? '';
    const level = levelNamed(written, dimensions);
    if (level === undefined || level.uniqueMembers) continue;
    problems.error(
      lineOf(element, 'name'),
      `The aggregate table has the key of ${written} alone (collapsed="false"), so the level needs uniqueMembers="true".`,
    );
  }
}

function levelNamed(written: string, dimensions: readonly Dimension[]): Level | undefined {
  const [first = '', ...rest] = segmentsOf(written) ?? [];
  const last = rest.at(-1) ?? '';
  for (const { name: dimension, hierarchies } of dimensions)
    for (const { name, levels } of hierarchies) {
      const isMeant = sameName(first, dimension) || sameName(first, `${dimension}.${name}`);
      const level = isMeant ? levels.find((each) => sameName(each.name, last)) : undefined;
      if (level !== undefined) return level;
    }
  return undefined;
}
