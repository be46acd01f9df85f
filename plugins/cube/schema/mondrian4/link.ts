import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import type { DimensionLink } from '../model.ts';
import { aliasesOf, type LeafRelation } from '../relation-leaves.ts';
import { lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import type { LinkedDimension } from './dimension.ts';
import { soleColumn } from './physical.ts';

/** Returns how a measure group joins the dimensions of its cube. */
export function links(
  group: XmlElement,
  fact: LeafRelation,
  dimensions: readonly LinkedDimension[],
  problems: Problems,
): readonly DimensionLink[] {
  const list = firstOf(group, 'DimensionLinks');
  const reported = new Set<string>();
  const made = (list === undefined ? [] : elementsOf(list)).flatMap((element): DimensionLink[] => {
    const linked = find(element, 'dimension', dimensions, problems);
    if (linked === undefined) return [];
    const { name } = linked.dimension;
    if (reported.has(name)) problems.error(element, `This measure group is linked to the dimension "${name}" already.`);
    reported.add(name);
    const made = link(element, linked, fact, dimensions, problems);
    return made === undefined ? [] : [made];
  });
  for (const { dimension } of dimensions)
    if (!reported.has(dimension.name))
      problems.warn(
        group,
        `This measure group has no link to the dimension "${dimension.name}". Write <NoLink dimension="${dimension.name}"/> if they are unrelated.`,
      );
  return made;
}

function link(
  element: XmlElement,
  { dimension, attributes }: LinkedDimension,
  fact: LeafRelation,
  dimensions: readonly LinkedDimension[],
  problems: Problems,
): DimensionLink | undefined {
  const { name, hierarchies } = dimension;
  switch (element.name) {
    case 'ForeignKeyLink': {
      const column = soleColumn(element, 'foreignKeyColumn', 'ForeignKey', problems);
      if (hierarchies.some(({ primaryKey }) => primaryKey === undefined))
        problems.error(element, `The dimension "${name}" needs "key", the attribute that facts join.`);
      const attributeName = text(element, 'attribute');
      const level = hierarchies
        .flatMap(({ levels }) => levels)
        .find((candidate) => candidate.name === attributeName)?.name;
      if (attributeName !== undefined && level === undefined)
        problems.error(
          lineOf(element, 'attribute'),
          `The dimension "${name}" has no level of the attribute "${attributeName}".${suggestion(
            attributeName,
            attributes.map((attribute) => attribute.name),
          )}`,
        );
      return column === undefined
        ? undefined
        : {
            kind: 'key',
            dimension: name,
            column: { kind: 'column', table: fact.alias, ...column },
            level,
            countsPerRow: false,
          };
    }
    case 'FactLink': {
      if (hierarchies.some(({ relation }) => aliasesOf(relation).some((alias) => alias !== fact.alias)))
        problems.error(element, `A <FactLink> is for a dimension whose attributes are all in "${fact.alias}".`);
      return { kind: 'fact', dimension: name };
    }
    case 'ReferenceLink': {
      const via = find(element, 'viaDimension', dimensions, problems);
      const attributeName = required(element, 'viaAttribute', problems);
      if (via === undefined) return undefined;
      const [column] = via.attributes.find((attribute) => attribute.name === attributeName)?.keys ?? [];
      if (column === undefined || column.kind !== 'column') {
        problems.error(
          lineOf(element, 'viaAttribute'),
          `The dimension "${via.dimension.name}" has no attribute "${attributeName}" with one column.${suggestion(
            attributeName,
            via.attributes.map((attribute) => attribute.name),
          )}`,
        );
        return undefined;
      }
      return { kind: 'reference', dimension: name, via: via.dimension.name, column };
    }
    default:
      return undefined;
  }
}

function find(
  element: XmlElement,
  attribute: string,
  dimensions: readonly LinkedDimension[],
  problems: Problems,
): LinkedDimension | undefined {
  const name = required(element, attribute, problems);
  const linked = dimensions.find(({ dimension }) => dimension.name === name);
  if (linked === undefined && name !== '')
    problems.error(
      lineOf(element, attribute),
      `The cube has no dimension "${name}".${suggestion(
        name,
        dimensions.map(({ dimension }) => dimension.name),
      )}`,
    );
  return linked;
}
