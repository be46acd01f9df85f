/** A proposal -> a cube schema as the cube surface reads it. Pure. */
import { readSchema } from '../../cube/index.ts';
import { personalWarnings, withoutPersonal } from '../proposal/personal-marks.ts';
import type { Cube, CubeProposal, Dimension, Level, Validation } from '../proposal/schema.ts';
import { captionSql, type EngineSql, keySql } from './date-parts.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

type Measure = Cube['measures'][number];

/** Writes an element: attributes without a value are left out. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: readonly string[] = [],
): string[] {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => ` ${key}="${escapeXml(value ?? '')}"`)
    .join('');
  if (content.length === 0) return [`<${name}${written}/>`];
  return [`<${name}${written}>`, ...content.map((line) => `  ${line}`), `</${name}>`];
}

/** Returns the cube-schema XML of a proposal. What is marked as personal is in no level and no measure of it. */
export function renderCubes({ schemaName, cubes }: CubeProposal): string {
  const content = element(
    'Schema',
    { name: schemaName },
    cubes.flatMap((cube) => cubeElement(withoutPersonal(cube))),
  );
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...content, ''].join('\n');
}

function cubeElement(cube: Cube): string[] {
  return element('Cube', { name: cube.name }, [
    ...element('Table', { name: cube.factTableName, schema: cube.factTableSchema }),
    ...cube.dimensions.flatMap((dimension) => dimensionElement(dimension)),
    ...cube.measures.flatMap((measure) => measureElement(measure, cube)),
    ...cube.measures.flatMap(weightedElement),
  ]);
}

function measureElement(measure: Measure, { factTableName }: Cube): string[] {
  const { name, column, aggregator, format, where, weight } = measure;
  const place = (each: string): string => `${quoted(factTableName)}.${quoted(each)}`;
  const computed = (attributes: Readonly<Record<string, string | undefined>>, sql: string): string[] =>
    element('Measure', attributes, [
      ...element('MeasureExpression', {}, [`<SQL dialect="generic">${escapeXml(sql)}</SQL>`]),
    ]);
  const condition = where === undefined ? undefined : `${place(where.column)} = '${where.value.replaceAll("'", "''")}'`;
  if (weight !== undefined) {
    const { product, weights } = weightedParts(measure);
    const conditions = [`${place(column)} IS NOT NULL`, ...(condition === undefined ? [] : [condition])].join(' AND ');
    const hidden = { aggregator: 'sum', visible: 'false' };
    // Approximate numbers: a product of whole numbers may not fit their type.
    const factors = `1E0 * ${place(column)} * ${place(weight)}`;
    return [
      ...computed({ name: product, ...hidden }, `CASE WHEN ${conditions} THEN ${factors} END`),
      ...computed({ name: weights, ...hidden }, `CASE WHEN ${conditions} THEN ${place(weight)} END`),
    ];
  }
  const attributes = { name, column: where === undefined ? column : undefined, aggregator, formatString: format };
  if (condition === undefined) return element('Measure', attributes);
  return computed(attributes, `CASE WHEN ${condition} THEN ${place(column)} END`);
}

/** Returns the names of the hidden measures of which a weighted average is the ratio. */
export function weightedParts({ name }: Pick<Measure, 'name'>): { readonly product: string; readonly weights: string } {
  return { product: `${name}: weighted sum`, weights: `${name}: sum of weights` };
}

/** Returns the calculated member of a weighted average. */
function weightedElement({ name, column, weight, format }: Measure): string[] {
  if (weight === undefined) return [];
  const { product, weights } = weightedParts({ name });
  const inBrackets = (each: string): string => `[Measures].[${each.replaceAll(']', ']]')}]`;
  return element('CalculatedMember', {
    name,
    dimension: 'Measures',
    description: `Average of ${column}, weighted by ${weight}`,
    formula: `${inBrackets(product)} / ${inBrackets(weights)}`,
    formatString: format,
  });
}

function isTime({ levels }: Dimension): boolean {
  return levels.every((level) => timeLevel(level) !== undefined);
}

/** Facts whose key leads to no row are a member of their own, so that the members of each level add up to the total. */
const UNMATCHED_AS_MEMBER: readonly string[] = element('Annotations', {}, [
  '<Annotation name="service.unmatchedFacts">member</Annotation>',
]);

function dimensionElement(dimension: Dimension): string[] {
  const { name, foreignKey, tableName, primaryKey, joins = [], levels } = dimension;
  const isOwn = foreignKey === '';
  const time = isTime(dimension);
  const hierarchy = element(
    'Hierarchy',
    {
      hasAll: 'true',
      primaryKey: isOwn ? undefined : primaryKey,
      primaryKeyTable: joins.length > 0 ? tableName : undefined,
    },
    [...(isOwn ? [] : relation(dimension, 0)), ...levels.flatMap((level) => levelElement(level, dimension, time))],
  );
  return element('Dimension', { name, foreignKey, type: time ? 'TimeDimension' : undefined }, [
    ...(isOwn ? [] : UNMATCHED_AS_MEMBER),
    ...hierarchy,
  ]);
}

/** Returns the table of a dimension, or its join with the tables behind it. */
function relation(
  { tableName, tableSchema, joins = [] }: Pick<Dimension, 'tableName' | 'tableSchema' | 'joins'>,
  from: number,
): string[] {
  const before = from === 0 ? { tableName, tableSchema } : joins[from - 1];
  const table = element('Table', { name: before?.tableName, schema: before?.tableSchema });
  const join = joins[from];
  if (join === undefined) return table;
  const isLast = from === joins.length - 1;
  return element(
    'Join',
    { leftKey: join.leftKey, rightAlias: isLast ? undefined : join.tableName, rightKey: join.rightKey },
    [...table, ...relation({ tableName, tableSchema, joins }, from + 1)],
  );
}

function levelElement(level: Level, dimension: Dimension, time: boolean): string[] {
  const { name, column, type, uniqueMembers, datePart, dateForm, tableName, nameColumn, parentColumn } = level;
  const attributes = {
    name,
    table: tableName,
    column: datePart === undefined ? column : undefined,
    nameColumn,
    parentColumn,
    type,
    uniqueMembers: String(uniqueMembers),
    levelType: time ? timeLevel(level) : undefined,
  };
  if (datePart === undefined) return element('Level', attributes);
  const place = { table: tableName ?? dimension.tableName, column, form: dateForm };
  return element('Level', attributes, [
    ...expression('KeyExpression', keySql(datePart, place)),
    ...expression('CaptionExpression', captionSql(datePart, place)),
  ]);
}

function expression(name: string, texts: readonly EngineSql[]): readonly string[] {
  if (texts.length === 0) return [];
  return element(
    name,
    {},
    texts.map(({ engine, sql }) => `<SQL dialect="${engine}">${escapeXml(sql)}</SQL>`),
  );
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const TIME_LEVELS: readonly (readonly [RegExp, string])[] = [
  [/year/i, 'TimeYears'],
  [/quarter/i, 'TimeQuarters'],
  [/month/i, 'TimeMonths'],
  [/week/i, 'TimeWeeks'],
  [/day|date/i, 'TimeDays'],
];

function timeLevel({ name, datePart, column }: Level): string | undefined {
  const word = datePart ?? `${name} ${column}`;
  return TIME_LEVELS.find(([pattern]) => pattern.test(word))?.[1];
}

/** Returns the schema of a proposal with the problems that our own reader finds in it. */
export function rendered(
  proposal: CubeProposal,
  warnings: readonly string[] = [],
): { readonly schemaXml: string; readonly validation: Validation } {
  const schemaXml = renderCubes(proposal);
  const { schema, problems } = readSchema(schemaXml);
  return {
    schemaXml,
    validation: {
      valid: schema !== undefined,
      cubeCount: proposal.cubes.length,
      warnings: [...warnings, ...personalWarnings(proposal), ...problems.map(({ message }) => message)],
    },
  };
}
