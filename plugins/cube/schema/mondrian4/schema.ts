import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import type { Schema } from '../model.ts';
import { namedSet, parameter } from '../shared-elements/calculated.ts';
import { described } from '../shared-elements/described.ts';
import { scriptFunctions } from '../shared-elements/formatter-scripts.ts';
import { role } from '../shared-elements/role.ts';
import { required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import { cube } from './cube.ts';
import { childrenOf, dimension } from './dimension.ts';
import { PhysicalSchema } from './physical.ts';

/** Reads a schema of Mondrian 4. */
export function readMondrian4(root: XmlElement, problems: Problems): Schema {
  const tables = firstOf(root, 'PhysicalSchema');
  if (tables === undefined) problems.error(root, 'A schema of metamodelVersion 4 needs a <PhysicalSchema>.');
  const physical = new PhysicalSchema(tables, problems);
  const shared = new Map<string, XmlElement>();
  for (const element of elementsOf(root, 'Dimension')) {
    const name = required(element, 'name', problems);
    if (shared.has(name)) problems.error(element, `There are two shared dimensions "${name}".`);
    else shared.set(name, element);
    // Each shared dimension is checked once, even if no cube uses it.
    dimension(element, { ...described(element, problems), source: undefined }, physical, problems);
  }
  const sets = [...elementsOf(root, 'NamedSet'), ...childrenOf(root, 'NamedSets', 'NamedSet')].map((element) =>
    namedSet(element, problems),
  );
  return {
    ...described(root, problems),
    language: 'mondrian4',
    measuresCaption: text(root, 'measuresCaption'),
    defaultRole: text(root, 'defaultRole'),
    cubes: elementsOf(root, 'Cube').map((element) => {
      const made = cube(element, shared, physical, problems);
      return { ...made, namedSets: [...made.namedSets, ...sets] };
    }),
    roles: elementsOf(root, 'Role').map((element) => role(element, problems)),
    parameters: elementsOf(root, 'Parameter').map((element) => parameter(element, problems)),
    functions: scriptFunctions(root, problems),
  };
}
