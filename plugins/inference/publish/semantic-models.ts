/**
 * Turns a proposed cube into a semantic model: converts its schema and adds the elements that a cube schema cannot express.
 * Pure.
 */
import { convertCube, slug } from '../../convert/index.ts';
import {
  ansi,
  identifier,
  type OsiDataset,
  type OsiExpression,
  type OsiField,
  type OsiMetric,
  type OsiModel,
  type OsiRelationship,
  serviceExtension,
} from '../../semantic/index.ts';
import { writeCaption } from '../detect/column-names.ts';
import { withoutPersonal } from '../proposal/personal-marks.ts';
import type { Cube, CubeProposal, Dimension, Level } from '../proposal/schema.ts';
import { TITLES, type Titles } from '../proposal/titles.ts';
import { renderCubes, weightedParts } from '../render/cube-xml.ts';
import { quotedName } from '../render/date-parts.ts';
import { WRITTEN_DATE_ENGINES, writtenDateSql } from '../render/written-date-sql.ts';

/** Returns the semantic models of a proposal, one of each cube that has anything to group or to count. */
export function renderSemanticModels(
  { schemaName, cubes, language = 'en' }: CubeProposal,
  file: string,
): readonly OsiModel[] {
  return cubes.map(withoutPersonal).flatMap((cube) => {
    // Years, quarters and months need no fields of their own: a date has grains. Behind a key the conversion makes the date of them.
    const dimensions = cube.dimensions
      .filter((dimension) => !isOfDateParts(dimension) || dimension.foreignKey !== '')
      .map((dimension) => ({ ...dimension, levels: withoutDays(dimension).map(withoutTree) }));
    const plain = { ...cube, dimensions };
    const text = renderCubes({ schemaName, cubes: [plain] });
    const { model } = convertCube({ name: file, text }, { cube: cube.name });
    return model === undefined ? [] : [enriched(model, cube, TITLES[language])];
  });
}

function withoutDays(dimension: Dimension): Dimension['levels'] {
  if (!isOfDateParts(dimension)) return dimension.levels;
  const [first] = dimension.levels;
  // The column itself brings its table along; its field becomes the date below.
  if (first?.dateForm !== undefined) {
    const { datePart: _, dateForm: _form, ...plain } = first;
    return [{ ...plain, type: 'String' }];
  }
  return dimension.levels.filter(({ datePart }) => datePart !== 'day');
}

/** Returns the level of a tree as a plain one, of the names of its members. */
function withoutTree({ parentColumn, nameColumn, ...level }: Level): Level {
  return parentColumn === undefined ? level : { ...level, column: nameColumn ?? level.column };
}

function isOfDateParts({ levels }: Dimension): boolean {
  return levels.length > 0 && levels.every(({ datePart }) => datePart !== undefined);
}

/** Returns the source of a table's dataset, as the conversion writes it. */
export function datasetSource(schema: string, table: string): string {
  return schema === '' ? identifier(table) : `${identifier(schema)}.${identifier(table)}`;
}

function enriched(model: OsiModel, cube: Cube, titles: Titles): OsiModel {
  const factSource = datasetSource(cube.factTableSchema, cube.factTableName);
  const dates = cube.dimensions
    .filter((dimension) => isOfDateParts(dimension) && dimension.foreignKey === '')
    .flatMap(({ name, levels: [level] }) => (level === undefined ? [] : [dateField(level, name)]));
  const written = writtenBehind(cube);
  const datasets = [...model.datasets, ...compositeDatasets(model, cube)].map((dataset): OsiDataset => {
    const columnFields = (dataset.fields ?? []).map(
      (field) => written.find(({ source, of }) => source === dataset.source && isOfColumn(field, of))?.field ?? field,
    );
    const fields = distinct([...(dataset.source === factSource ? dates : []), ...columnFields]);
    const personal = (cube.personal ?? [])
      .filter(({ tableSchema, tableName }) => datasetSource(tableSchema, tableName) === dataset.source)
      .map(({ column }) => personalField(column));
    const attributes = (cube.attributes ?? []).filter(
      ({ tableSchema, tableName }) => datasetSource(tableSchema, tableName) === dataset.source,
    );
    const all = distinct([...fields.map(withSynonyms), ...personal]);
    return { ...dataset, fields: [...all, ...attributeFields(attributes, all)] };
  });
  const parts = new Set(
    cube.measures.filter(({ weight }) => weight !== undefined).flatMap((each) => Object.values(weightedParts(each))),
  );
  const metrics = model.metrics
    ?.filter((metric) => !parts.has(String(readDisplay(metric)?.caption)))
    .map((metric): OsiMetric => {
      const measure = cube.measures.find(({ name }) => readDisplay(metric)?.caption === name);
      return measure === undefined ? metric : withFacts(metric, measure);
    });
  const trees = parentsOf(datasets, cube, titles);
  return {
    ...model,
    datasets: [...datasets, ...trees.map(({ dataset }) => dataset)],
    relationships: [
      ...(model.relationships ?? []),
      ...compositeRelationships(datasets, cube),
      ...trees.map(({ relationship }) => relationship),
    ],
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function dateField({ column, dateForm }: Level, label: string): OsiField {
  // A field of the column's name would hide the column that it is read from.
  const name = dateForm === undefined ? slug(column) : `${slug(column)}_as_date`;
  return { name, label, expression: expressionOf({ column, dateForm }), dimension: { is_time: true } };
}

/** Returns the expression of a level's column: of the date, where texts or numbers write it. */
export function expressionOf({ column, dateForm }: Pick<Level, 'column' | 'dateForm'>): OsiExpression {
  if (dateForm === undefined) return ansi(identifier(column));
  return {
    dialects: WRITTEN_DATE_ENGINES.map((engine) => ({
      dialect: engine.toUpperCase(),
      expression: writtenDateSql(dateForm, engine, quotedName(engine, column)),
    })),
  };
}

/** Lists the dates of tables behind the facts that texts or numbers write, each with the column that its field replaces. */
function writtenBehind({ dimensions }: Cube) {
  return dimensions
    .filter((dimension) => isOfDateParts(dimension) && dimension.foreignKey !== '')
    .flatMap(({ name, tableSchema, tableName, joins = [], levels: [level] }) => {
      if (level?.dateForm === undefined) return [];
      const join = joins.find((each) => each.tableName === level.tableName);
      const source = datasetSource(join?.tableSchema ?? tableSchema, join?.tableName ?? tableName);
      return [{ source, of: level.column, field: dateField(level, name) }];
    });
}

function isOfColumn({ expression }: OsiField, column: string): boolean {
  return expression.dialects[0]?.expression === identifier(column);
}

/** Makes the fields of columns that no other field reads. */
function attributeFields(
  attributes: NonNullable<Cube['attributes']>,
  others: readonly OsiField[],
): readonly OsiField[] {
  const names = new Set(others.map(({ name }) => name));
  return attributes
    .filter(({ column }) => !others.some((field) => isOfColumn(field, column)))
    .map(({ column, isTime }) => {
      let name = slug(column);
      for (let number = 2; names.has(name); number++) name = `${slug(column)}_${number}`;
      names.add(name);
      return withSynonyms({
        name,
        label: writeCaption(column),
        expression: ansi(identifier(column)),
        ...(isTime === true ? { dimension: { is_time: true } } : {}),
      });
    });
}

/** Makes a marked field. It is in no answer, and neither is any field that reads its column. */
function personalField(column: string): OsiField {
  const mark = serviceExtension({ pii: true });
  return {
    name: slug(column),
    expression: ansi(identifier(column)),
    ...(mark === undefined ? {} : { custom_extensions: [mark] }),
  };
}

/** Adds the words of a name as a synonym: `unit_price` can be found as "unit price". */
function withSynonyms(field: OsiField): OsiField {
  const words = writeCaption(field.name).toLowerCase();
  const names = new Set([field.name, field.label?.toLowerCase()]);
  if (field.ai_context !== undefined || names.has(words)) return field;
  return { ...field, ai_context: { synonyms: [words] } };
}

interface Display {
  readonly caption?: unknown;
}

/** Returns the document's display settings of a metric. */
export function readDisplay(metric: OsiMetric): Display | undefined {
  const data = readExtension(metric);
  const display = typeof data === 'object' && data !== null && 'display' in data ? data.display : undefined;
  return typeof display === 'object' && display !== null ? display : undefined;
}

/** Returns whether a field is marked, so that no answer shows it. */
export function isMarkedPersonal(field: OsiField): boolean {
  const data = readExtension(field);
  return typeof data === 'object' && data !== null && 'pii' in data && data.pii === true;
}

/** Returns the content of the vendor block of a field or metric. */
export function readExtension({ custom_extensions = [] }: OsiField | OsiMetric): unknown {
  const extension = custom_extensions.find(({ vendor_name }) => vendor_name === 'SERVICE');
  return extension === undefined ? undefined : JSON.parse(extension.data);
}

/** Adds the unit of a measure, and that averages of rates do not add up. */
function withFacts(metric: OsiMetric, { unit, aggregator }: Cube['measures'][number]): OsiMetric {
  const isAverage = aggregator === 'avg';
  if (unit === undefined && !isAverage) return metric;
  const data = readExtension(metric);
  const extension = serviceExtension({
    ...(typeof data === 'object' && data !== null ? data : {}),
    display: { ...readDisplay(metric), ...(unit === undefined ? {} : { unit }) },
    ...(isAverage ? { additive: false } : {}),
  });
  const others = (metric.custom_extensions ?? []).filter(({ vendor_name }) => vendor_name !== 'SERVICE');
  return { ...metric, custom_extensions: [...others, ...(extension === undefined ? [] : [extension])] };
}

/** Makes datasets of tables that the cube does not reach, as it joins by one column. */
function compositeDatasets({ datasets }: OsiModel, { compositeKeys = [] }: Cube): readonly OsiDataset[] {
  const names = new Set(datasets.map(({ name }) => name));
  const sources = new Set(datasets.map(({ source }) => source));
  return compositeKeys
    .filter(({ tableSchema, tableName }) => !sources.has(datasetSource(tableSchema, tableName)))
    .map(({ tableSchema, tableName, keyColumns, attributes }) => ({
      name: names.has(tableName) ? `${tableName}_by_key` : tableName,
      source: datasetSource(tableSchema, tableName),
      primary_key: [...keyColumns],
      fields: attributes.map((column) => ({
        name: slug(column),
        label: writeCaption(column),
        expression: ansi(identifier(column)),
      })),
    }));
}

function compositeRelationships(datasets: readonly OsiDataset[], cube: Cube): readonly OsiRelationship[] {
  const bySource = new Map(datasets.map(({ source, name }) => [source, name] as const));
  const from = bySource.get(datasetSource(cube.factTableSchema, cube.factTableName));
  return (cube.compositeKeys ?? []).flatMap(({ tableSchema, tableName, columns, keyColumns }): OsiRelationship[] => {
    const to = bySource.get(datasetSource(tableSchema, tableName));
    if (from === undefined || to === undefined) return [];
    return [{ name: `${from}_to_${to}_by_key`, from, to, from_columns: columns, to_columns: keyColumns }];
  });
}

interface ParentDataset {
  readonly dataset: OsiDataset;
  readonly relationship: OsiRelationship;
}

/**
 * Makes the parents of each tree a dataset of the same table, which its rows lead to: a relationship of a dataset with
 * itself would not show which of the two rows a field is of. It answers by the parent; deeper levels are in the cube.
 */
function parentsOf(datasets: readonly OsiDataset[], { dimensions }: Cube, titles: Titles): readonly ParentDataset[] {
  const names = new Set(datasets.map(({ name }) => name));
  const seen = new Set<string>();
  return dimensions.flatMap(({ tableSchema, tableName, levels: [level] }) => {
    const source = datasetSource(tableSchema, tableName);
    if (level?.parentColumn === undefined) return [];
    const { column, parentColumn, nameColumn = column } = level;
    return datasets
      .filter((dataset) => dataset.source === source && !seen.has(dataset.name))
      .map(({ name: from }): ParentDataset => {
        seen.add(from);
        let name = `${from}_parent`;
        for (let number = 2; names.has(name); number++) name = `${from}_parent_${number}`;
        names.add(name);
        const field: OsiField = {
          name: slug(nameColumn),
          label: titles.parent(writeCaption(nameColumn)),
          expression: ansi(identifier(nameColumn)),
        };
        return {
          dataset: { name, source, primary_key: [column], fields: [withSynonyms(field)] },
          relationship: {
            name: `${from}_to_${name}`,
            from,
            to: name,
            from_columns: [parentColumn],
            to_columns: [column],
          },
        };
      });
  });
}

/** Returns the first of each name. */
function distinct(fields: readonly OsiField[]): readonly OsiField[] {
  return [...new Map(fields.toReversed().map((field) => [field.name, field] as const)).values()].toReversed();
}
