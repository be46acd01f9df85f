import { elementsOf, type XmlElement } from '../../../xml/index.ts';
import type { CubeGrant, HierarchyGrant, Role, SchemaGrant } from '../model.ts';
import { choice, required, text } from '../xml/attributes.ts';
import type { Problems } from '../xml/problems.ts';
import { annotationsOf } from './described.ts';

const NONE_OR_ALL = { all: 'all', none: 'none' } as const;
const ACCESS = { ...NONE_OR_ALL, custom: 'custom' } as const;
const SCHEMA_ACCESS = { ...ACCESS, all_dimensions: 'all_dimensions' } as const;
const ROLLUP = { full: 'full', partial: 'partial', hidden: 'hidden' } as const;

/** Reads a `<Role>`. */
export function role(element: XmlElement, problems: Problems): Role {
  const common = {
    name: required(element, 'name', problems),
    annotations: annotationsOf(element, problems),
    line: element.line,
  };
  const unions = elementsOf(element, 'Union');
  const grants = elementsOf(element, 'SchemaGrant');
  if (unions.length > 1 || (unions.length > 0 && grants.length > 0))
    problems.error(element, `The role "${common.name}" has either one <Union> or grants, not both.`);
  if (unions.length === 0)
    return { kind: 'grants', ...common, schemaGrants: grants.map((grant) => schemaGrant(grant, problems)) };
  return {
    kind: 'union',
    ...common,
    roles: unions.flatMap((union) =>
      elementsOf(union, 'RoleUsage').map((usage) => required(usage, 'roleName', problems)),
    ),
  };
}

function schemaGrant(element: XmlElement, problems: Problems): SchemaGrant {
  return {
    access: access(element, SCHEMA_ACCESS, problems),
    cubes: elementsOf(element, 'CubeGrant').map((grant) => cubeGrant(grant, problems)),
    line: element.line,
  };
}

function cubeGrant(element: XmlElement, problems: Problems): CubeGrant {
  return {
    cube: required(element, 'cube', problems),
    access: access(element, ACCESS, problems),
    dimensions: elementsOf(element, 'DimensionGrant').map((grant) => ({
      dimension: required(grant, 'dimension', problems),
      access: access(grant, ACCESS, problems),
      line: grant.line,
    })),
    hierarchies: elementsOf(element, 'HierarchyGrant').map((grant) => hierarchyGrant(grant, problems)),
    line: element.line,
  };
}

function hierarchyGrant(element: XmlElement, problems: Problems): HierarchyGrant {
  const granted = access(element, ACCESS, problems);
  const members = elementsOf(element, 'MemberGrant');
  if (granted !== 'custom' && (members.length > 0 || text(element, 'topLevel') || text(element, 'bottomLevel')))
    problems.error(element, 'Levels and members are granted only in a <HierarchyGrant> with access="custom".');
  return {
    hierarchy: required(element, 'hierarchy', problems),
    access: granted,
    topLevel: text(element, 'topLevel'),
    bottomLevel: text(element, 'bottomLevel'),
    rollupPolicy: choice(element, 'rollupPolicy', ROLLUP, 'full', problems),
    members: members.map((grant) => ({
      member: required(grant, 'member', problems),
      access: access(grant, NONE_OR_ALL, problems),
      line: grant.line,
    })),
    line: element.line,
  };
}

/** Reads an access. An unreadable one grants nothing. */
function access<Access>(
  element: XmlElement,
  choices: Readonly<Record<string, Access | 'none'>>,
  problems: Problems,
): Access | 'none' {
  required(element, 'access', problems);
  return choice<Access | 'none', 'none'>(element, 'access', choices, 'none', problems);
}
