import { type Catalog, fieldKey, levelKey, metricKey, type Thing } from './catalog.ts';
import { type Item, textOf } from './json-value.ts';

/** Returns the thing that an item of a request names; undefined where the catalog has none. */
export function findThing(item: Item, { byKey, surface, groups }: Catalog): Thing | undefined {
  const metric = textOf(item, 'metric') ?? textOf(item, 'name') ?? textOf(item, 'by');
  if (metric !== undefined) return byKey.get(metricKey(metric));
  if (surface === 'semantic') return byKey.get(fieldKey(...fieldNames(item)));
  const dimension = textOf(item, 'dimension');
  const group = groups.find(({ id }) => id.toLowerCase() === dimension?.toLowerCase());
  if (dimension === undefined || group === undefined) return undefined;
  const levels = group.things.filter((thing) => {
    const hierarchy = textOf(item, 'hierarchy');
    return hierarchy === undefined || textOf(thing.item, 'hierarchy')?.toLowerCase() === hierarchy.toLowerCase();
  });
  const level = textOf(item, 'level');
  const [first] = levels;
  if (level === undefined || first === undefined) return first;
  const hierarchy = textOf(first.item, 'hierarchy') ?? dimension;
  return byKey.get(levelKey(dimension, hierarchy, level)) ?? levels.find(({ label }) => label === level);
}

/** Returns dataset and field. A sort may write both as one: `sales.date`. */
function fieldNames(item: Item): readonly [string, string] {
  const field = textOf(item, 'field') ?? '';
  const dataset = textOf(item, 'dataset');
  if (dataset !== undefined) return [dataset, field];
  const [first = '', second = ''] = field.split('.');
  return [first, second];
}
