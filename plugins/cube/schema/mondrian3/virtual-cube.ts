import { elementsOf, firstOf, type XmlElement } from '../../../xml/index.ts';
import { bracketedNames, findNamed, sameName, segmentsOf } from '../mdx-name.ts';
import type { CalculatedMember, Cube, Dimension, DimensionLink, Measure, MeasureGroup } from '../model.ts';
import { calculatedMember, namedSet } from '../shared-elements/calculated.ts';
import { annotationsOf, described } from '../shared-elements/described.ts';
import { flag, lineOf, required, text } from '../xml/attributes.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import type { SharedDimensions } from './cube.ts';
import { dimension, usageAppearance } from './dimension.ts';

/**
 * Returns a virtual cube: dimensions and measures of other cubes together. `cubes` are the ordinary cubes of the
 * schema.
 */
export function virtualCube(
  element: XmlElement,
  cubes: readonly Cube[],
  shared: SharedDimensions,
  problems: Problems,
): Cube {
  const common = described(element, problems);
  const baseCube = (child: XmlElement) => findCube(child, cubes, problems);
  const ownerOf = (child: XmlElement) => (text(child, 'cubeName') === undefined ? [] : [baseCube(child)]);

  const listed = elementsOf(element, 'VirtualCubeMeasure').flatMap((child) => {
    const base = baseCube(child);
    const measure = base === undefined ? undefined : findMeasure(child, base, problems);
    return base === undefined || measure === undefined ? [] : [{ base, ...measure }];
  });
  const taken = withImplied(listed);

  const usages = firstOf(element, 'CubeUsages');
  const ignoring = new Map(
    (usages === undefined ? [] : elementsOf(usages, 'CubeUsage')).map((usage) => [
      baseCube(usage),
      flag(usage, 'ignoreUnrelatedDimensions', false, problems),
    ]),
  );
  // A virtual cube without measures has the facts of the cubes that it names, for its own calculated members.
  const namedCubes = [...ignoring.keys(), ...elementsOf(element, 'VirtualCubeDimension').flatMap(ownerOf)];
  const bases = cubes.filter((base) =>
    taken.length === 0 ? namedCubes.includes(base) : taken.some((item) => item.base === base),
  );
  const dimensions: Dimension[] = [];
  const links = new Map<Cube, DimensionLink[]>(bases.map((base) => [base, []]));
  for (const child of elementsOf(element, 'VirtualCubeDimension')) {
    const dimension = findDimension(child, bases, cubes, shared, problems);
    if (dimension === undefined) continue;
    dimensions.push(dimension.dimension);
    for (const [base, name] of dimension.in) {
      const link = base.measureGroups[0]?.links.find((candidate) => candidate.dimension === name);
      if (link !== undefined) links.get(base)?.push({ ...link, dimension: dimension.dimension.name });
    }
    if (dimension.in.length === 0)
      problems.warn(
        child,
        `No cube of "${common.name}" that has measures here uses the dimension "${dimension.dimension.name}".`,
      );
  }

  return {
    ...common,
    virtual: true,
    cache: flag(element, 'cache', true, problems),
    enabled: flag(element, 'enabled', true, problems),
    dimensions,
    measureGroups: bases.flatMap((base) =>
      base.measureGroups.map(
        (group): MeasureGroup => ({
          ...group,
          links: links.get(base) ?? [],
          ignoreUnrelatedDimensions: ignoring.get(base) ?? false,
        }),
      ),
    ),
    measures: taken.flatMap((item) => (item.kind === 'measure' ? [item.measure] : [])),
    calculatedMembers: [
      ...taken.flatMap((item) => (item.kind === 'calculated' ? [item.member] : [])),
      ...elementsOf(element, 'CalculatedMember').map((child) => calculatedMember(child, problems)),
    ],
    namedSets: elementsOf(element, 'NamedSet').map((child) => namedSet(child, problems)),
    defaultMeasure: text(element, 'defaultMeasure'),
    defaultCalculation: undefined,
  };
}

type MeasureSource =
  | { readonly kind: 'measure'; readonly measure: Measure }
  | { readonly kind: 'calculated'; readonly member: CalculatedMember };
type ImportedMeasure = MeasureSource & { readonly base: Cube };

function findCube(element: XmlElement, cubes: readonly Cube[], problems: Problems): Cube | undefined {
  const name = required(element, 'cubeName', problems);
  const baseCube = cubes.find((cube) => cube.name === name);
  if (baseCube === undefined && name !== '')
    problems.error(
      lineOf(element, 'cubeName'),
      `There is no cube "${name}".${suggestion(
        name,
        cubes.map((cube) => cube.name),
      )}`,
    );
  return baseCube;
}

/**
 * Finds the measure of a base cube that a name such as `[Measures].[Profit]` means, with the virtual cube's name and
 * caption for it.
 */
function findMeasure(element: XmlElement, base: Cube, problems: Problems): MeasureSource | undefined {
  const written = required(element, 'name', problems);
  const name = segmentsOf(written)?.at(-1) ?? written;
  const shown = {
    caption: text(element, 'caption'),
    visible: flag(element, 'visible', undefined, problems),
    annotations: annotationsOf(element, problems),
  };
  const called = findNamed([...base.measures, ...measuresOf(base)], name)?.name;
  const measure = base.measures.find((candidate) => candidate.name === called);
  if (measure !== undefined) return { kind: 'measure', measure: overlaid(measure, shown) };
  const calculated = measuresOf(base).find((candidate) => candidate.name === called);
  if (calculated !== undefined)
    return { kind: 'calculated', member: { ...overlaid(calculated, shown), fromCube: base.name } };
  if (written !== '')
    problems.error(
      lineOf(element, 'name'),
      `The cube "${base.name}" has no measure "${written}".${suggestion(
        name,
        [...base.measures, ...measuresOf(base)].map((candidate) => candidate.name),
      )}`,
    );
  return undefined;
}

function overlaid<Item extends Measure | CalculatedMember>(
  item: Item,
  shown: {
    readonly caption: string | undefined;
    readonly visible: boolean | undefined;
    readonly annotations: ReadonlyMap<string, string>;
  },
): Item {
  return {
    ...item,
    caption: shown.caption ?? item.caption,
    // If a virtual cube lists a count of facts, its author wants it.
    ...('isFactCount' in item && item.isFactCount
      ? { visible: shown.visible ?? true, isFactCount: false }
      : { visible: shown.visible ?? item.visible }),
    annotations: new Map([...item.annotations, ...shown.annotations]),
  };
}

function measuresOf(base: Cube): readonly CalculatedMember[] {
  return base.calculatedMembers.filter(({ hierarchy }) => sameName(segmentsOf(hierarchy)?.[0] ?? '', 'Measures'));
}

/**
 * Returns the listed measures, and all measures and members that formulas of listed calculated members need from their
 * base cubes, directly or indirectly.
 */
function withImplied(listed: readonly ImportedMeasure[]): readonly ImportedMeasure[] {
  const taken = [...listed];
  for (const item of taken) {
    if (item.kind !== 'calculated') continue;
    const { base } = item;
    const names = bracketedNames(item.member.formula);
    const meant = new Set(names.map((name) => findNamed([...base.measures, ...measuresOf(base)], name)?.name));
    const isNamed = ({ name }: { readonly name: string }) => meant.has(name);
    // The formula finds a measure of the same name from any cube.
    const isNew = ({ name }: { readonly name: string }) =>
      !taken.some((other) => (other.kind === 'measure' ? other.measure.name : other.member.name) === name);
    for (const measure of base.measures.filter(isNamed))
      if (isNew(measure)) taken.push({ kind: 'measure', base, measure: { ...measure, implied: true } });
    for (const member of measuresOf(base).filter(isNamed))
      if (isNew(member))
        taken.push({ kind: 'calculated', base, member: { ...member, fromCube: base.name, implied: true } });
  }
  return taken;
}

interface FoundDimension {
  readonly dimension: Dimension;
  /** The base cubes that have it, with its name there. */
  readonly in: readonly (readonly [Cube, string])[];
}

function findDimension(
  element: XmlElement,
  bases: readonly Cube[],
  cubes: readonly Cube[],
  shared: SharedDimensions,
  problems: Problems,
): FoundDimension | undefined {
  const name = required(element, 'name', problems);
  const withOwnTexts = (dimension: Dimension): Dimension => ({
    ...dimension,
    caption: text(element, 'caption') ?? dimension.caption,
    visible: flag(element, 'visible', dimension.visible, problems),
    annotations: new Map([...dimension.annotations, ...annotationsOf(element, problems)]),
    line: element.line,
  });
  if (text(element, 'cubeName') !== undefined) {
    const owner = findCube(element, cubes, problems);
    if (owner === undefined) return undefined;
    const ownerDimension = owner.dimensions.find((candidate) => candidate.name === name);
    if (ownerDimension === undefined) {
      problems.error(
        lineOf(element, 'name'),
        `The cube "${owner.name}" has no dimension "${name}".${suggestion(
          name,
          owner.dimensions.map((candidate) => candidate.name),
        )}`,
      );
      return undefined;
    }
    return { dimension: withOwnTexts(ownerDimension), in: sharingIts(ownerDimension, owner, bases) };
  }

  const definition = shared.get(name);
  const users = bases.filter((base) => base.dimensions.some(({ source }) => source === name));
  // If no base cube uses a shared dimension of that name, a base cube with its own dimension of that name supplies it.
  const owner =
    users.length > 0 ? undefined : bases.find((base) => base.dimensions.some((dimension) => dimension.name === name));
  const ownedDimension = owner?.dimensions.find((candidate) => candidate.name === name);
  if (owner !== undefined && ownedDimension !== undefined)
    return { dimension: withOwnTexts(ownedDimension), in: sharingIts(ownedDimension, owner, bases) };
  if (definition === undefined) {
    problems.error(
      lineOf(element, 'name'),
      `There is no shared dimension "${name}".${suggestion(name, [...shared.keys()])} One of a cube needs "cubeName".`,
    );
    return undefined;
  }
  const used = users.flatMap((base): (readonly [Cube, string])[] => {
    const usages = base.dimensions.filter((candidate) => candidate.source === name);
    const usage = usages.find((candidate) => candidate.name === name) ?? (usages.length === 1 ? usages[0] : undefined);
    return usage === undefined ? [] : [[base, usage.name]];
  });
  const [fact] = bases.flatMap((base) => base.measureGroups.map((group) => group.fact));
  const made = dimension(definition, usageAppearance(definition, definition, fact, problems), problems);
  return made === undefined ? undefined : { dimension: withOwnTexts(made), in: used };
}

/**
 * Returns the base cubes that have a cube's dimension, including cubes that use the same shared dimension under the
 * same name, because the members are the same.
 */
function sharingIts({ name, source }: Dimension, owner: Cube, bases: readonly Cube[]): FoundDimension['in'] {
  const isSame = (base: Cube) =>
    base === owner ||
    (source !== undefined && base.dimensions.some((other) => other.name === name && other.source === source));
  return bases.filter(isSame).map((base) => [base, name]);
}
