import { elementsOf, type XmlElement } from '../../../xml/index.ts';
import type { Cube, Schema } from '../model.ts';
import { namedSet, parameter } from '../shared-elements/calculated.ts';
import { described } from '../shared-elements/described.ts';
import { scriptFunctions } from '../shared-elements/formatter-scripts.ts';
import { role } from '../shared-elements/role.ts';
import { required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import { cube } from './cube.ts';
import { dimension, ownAppearance } from './dimension.ts';
import { virtualCube } from './virtual-cube.ts';

/** Reads a schema of Mondrian 3. */
export function readMondrian3(root: XmlElement, problems: Problems): Schema {
  const shared = sharedDimensions(root, problems);
  const ordinary = new Map(elementsOf(root, 'Cube').map((element) => [element, cube(element, shared, problems)]));
  const bases = [...ordinary.values()].filter((made) => made !== undefined);
  const sets = elementsOf(root, 'NamedSet').map((element) => namedSet(element, problems));
  const cubes = elementsOf(root, 'Cube', 'VirtualCube').flatMap((element): Cube[] => {
    const made = element.name === 'Cube' ? ordinary.get(element) : virtualCube(element, bases, shared, problems);
    return made === undefined ? [] : [{ ...made, namedSets: [...made.namedSets, ...sets] }];
  });
  return {
    ...described(root, problems),
    language: 'mondrian3',
    measuresCaption: text(root, 'measuresCaption'),
    defaultRole: text(root, 'defaultRole'),
    cubes,
    roles: elementsOf(root, 'Role').map((element) => role(element, problems)),
    parameters: elementsOf(root, 'Parameter').map((element) => parameter(element, problems)),
    functions: scriptFunctions(root, problems),
  };
}

/** Collects the shared dimensions. Checks each once, even if no cube uses it. */
function sharedDimensions(root: XmlElement, problems: Problems): ReadonlyMap<string, XmlElement> {
  const shared = new Map<string, XmlElement>();
  for (const element of elementsOf(root, 'Dimension')) {
    const name = required(element, 'name', problems);
    if (shared.has(name)) problems.error(element, `There are two shared dimensions "${name}".`);
    else shared.set(name, element);
    dimension(element, ownAppearance(element, undefined, problems), problems);
  }
  return shared;
}
