import { cubeOfGrant, isMeasures } from '../schema/check/find-elements.ts';
import { segmentsOf } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';

/**
 * Returns the names of the measures that roles grant by name, as the grants write them. A granted calculated measure is
 * visible even if the measures of its formula are not.
 */
export function grantedMeasures(
  { roles, cubes }: Pick<model.Schema, 'roles' | 'cubes'>,
  cube: string,
  names: readonly string[] | undefined,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const granted = new Set<string>();
  const visit = (name: string): void => {
    const role = roles.find((each) => each.name === name);
    if (role === undefined || seen.has(name)) return;
    seen.add(name);
    if (role.kind === 'union') role.roles.forEach(visit);
    else
      for (const measure of role.schemaGrants.flatMap((grant) => measuresOf(grant, cube, cubes))) granted.add(measure);
  };
  names?.forEach(visit);
  return granted;
}

function measuresOf(schemaGrant: model.SchemaGrant, cube: string, cubes: readonly model.Cube[]): readonly string[] {
  return schemaGrant.cubes
    .filter((grant) => cubeOfGrant(grant, cubes)?.name === cube)
    .flatMap(({ hierarchies }) => hierarchies.filter(({ hierarchy }) => isMeasures(hierarchy)))
    .flatMap(({ members }) => members.filter(({ access }) => access === 'all'))
    .map(({ member }) => segmentsOf(member)?.at(-1) ?? member);
}
