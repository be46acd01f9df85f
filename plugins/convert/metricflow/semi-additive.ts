/** Converts measures that do not add up over time: `non_additive_dimension` becomes `semi_additive`. */
import { LeftOut, type Owned, type Project } from './project.ts';
import type { Measure } from './read.ts';

const TAKES: Readonly<Record<string, 'first' | 'last'>> = { min: 'first', max: 'last' };

/**
 * Returns the vendor block of a semi-additive measure; `undefined` for a measure that adds up over everything.
 *
 * @throws LeftOut
 */
export function semiAdditiveOf({ model, element }: Owned<Measure>, project: Project): object | undefined {
  const { non_additive_dimension: written, name } = element;
  if (written === undefined) return undefined;
  // dbt's default is the first date.
  const { window_choice: choice = 'min', window_groupings: groupings = [] } = written;
  const take = TAKES[choice];
  if (take === undefined)
    throw new LeftOut(`its measure ${name} has a window_choice ${choice}, which is neither min nor max`);
  const date = project.dimension(model, [], lastOf(written.name));
  const per = groupings.map((grouping) => {
    const groupingName = lastOf(grouping);
    const element = [...(model.entities ?? []), ...(model.dimensions ?? [])].find((one) => one.name === groupingName);
    if (element === undefined)
      throw new LeftOut(`its measure ${name} is grouped by ${grouping}, which ${model.name} has not`);
    return `${model.name}.${element.name}`;
  });
  return { by: `${date.model.name}.${date.element.name}`, take, ...(per.length === 0 ? {} : { per }) };
}

/** Returns the last part of a name: `opened` of `account__opened`. */
function lastOf(name: string): string {
  return name.split('__').at(-1) ?? name;
}
