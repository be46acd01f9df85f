/** Reads the descriptions of models and cubes that the server sends. */
import { isObject, type JsonObject, readObject, readText, readTextOrDefault } from '../../api-client/json.ts';
import { msg } from '../../words/words.ts';
import {
  type Catalog,
  fieldKey,
  type Group,
  levelKey,
  makeCatalog,
  metricKey,
  nameWords,
  type Role,
  type Thing,
  type ThingType,
} from './catalog.ts';

const METRICS = 'metrics';

/** Reads the description of a semantic model. */
export function readModel(json: unknown): Catalog {
  const model = readObject(json, 'the model');
  const connection = readText(model, 'connectionName');
  const name = readText(model, 'modelName');
  const metrics = entries(model.metrics).map((metric) => metricThing(metric));
  const datasets = entries(model.datasets).map((dataset): Group => {
    const id = readText(dataset, 'name');
    const roles = list(dataset.roles).map((role) => ({ via: readText(role, 'via'), label: readText(role, 'label') }));
    return { id, label: nameWords(id), things: entries(dataset.fields).map((field) => fieldThing(field, id, roles)) };
  });
  const time = isObject(model.time) ? model.time : {};
  const calendar = typeof time.dataset === 'string' && typeof time.field === 'string' ? [calendarGroup(time)] : [];
  return makeCatalog(
    {
      surface: 'semantic',
      source: { surface: 'semantic', names: { connection, model: name } },
      title: `${connection} · ${nameWords(name)}`,
      description: readTextOrDefault(model, 'description', ''),
    },
    [{ id: METRICS, label: msg('Metrics'), things: sorted(metrics) }, ...calendar, ...datasets],
  );
}

function metricThing(metric: JsonObject): Thing {
  const name = readText(metric, 'name');
  const label = readText(metric, 'label');
  return {
    ...common(metric, label, name, METRICS),
    key: metricKey(name),
    type: 'metric',
    item: { metric: name },
    aggregations: texts(metric.supportedOverrides),
  };
}

function fieldThing(field: JsonObject, dataset: string, roles: readonly Role[]): Thing {
  const name = readText(field, 'name');
  const grains = texts(field.grains);
  const label = readText(field, 'label');
  return {
    ...common(field, label, `${dataset} ${name}`, dataset),
    key: fieldKey(dataset, name),
    type: grains.length > 0 ? 'date' : typeOf(readText(field, 'type')),
    item: { dataset, field: name },
    grains,
    roles,
  };
}

/** Makes the group of the calendar on which metrics of several datasets meet. */
function calendarGroup(time: JsonObject): Group {
  const dataset = readText(time, 'dataset');
  const field = readText(time, 'field');
  const thing: Thing = {
    ...common(
      { description: msg('The main date of each metric’s rows.') },
      msg('Date'),
      `${dataset} ${field}`,
      'calendar',
    ),
    key: fieldKey(dataset, field),
    type: 'date',
    item: { dataset, field },
    grains: texts(time.grains),
  };
  return { id: 'calendar', label: msg('Calendar of all metrics'), things: [thing] };
}

/** Tells what a value is by the warehouse's type name. */
function typeOf(native: string): ThingType {
  if (/bool/i.test(native)) return 'yes-no';
  if (/int|dec|num|float|double|real|money|serial/i.test(native) && !/interval|point/i.test(native)) return 'number';
  return 'text';
}

/** Reads the description of a cube. */
export function readCube(json: unknown): Catalog {
  const cube = readObject(json, 'the cube');
  const cubeId = readText(cube, 'cubeId');
  const measures = entries(cube.measures).map((measure): Thing => {
    const name = readText(measure, 'name');
    const label = readText(measure, 'caption');
    return {
      ...common(measure, label, name, METRICS),
      key: metricKey(name),
      type: 'metric',
      item: { name },
      aggregations: [],
    };
  });
  return makeCatalog(
    {
      surface: 'cube',
      source: { surface: 'cube', names: { cube: cubeId } },
      title: `${readText(cube, 'connectionName')} · ${readText(cube, 'cubeCaption')}`,
      description: readTextOrDefault(cube, 'description', ''),
    },
    [{ id: METRICS, label: msg('Measures'), things: measures }, ...entries(cube.dimensions).map(dimensionGroup)],
  );
}

function dimensionGroup(dimension: JsonObject): Group {
  const id = readText(dimension, 'name');
  const isTime = dimension.type === 'time';
  const hierarchies = entries(dimension.hierarchies);
  const things = hierarchies.flatMap((hierarchy) => {
    const levels = entries(hierarchy.levels);
    const name = readText(hierarchy, 'name');
    return levels.map((level, depth): Thing => {
      const levelName = readText(level, 'name');
      const caption = readText(level, 'caption');
      const label = hierarchies.length > 1 && name !== id ? `${caption} (${readText(hierarchy, 'caption')})` : caption;
      return {
        ...common(level, label, `${id} ${name} ${levelName}`, id),
        key: levelKey(id, name, levelName),
        type: isTime ? 'date' : 'text',
        item: { dimension: id, hierarchy: name, level: levelName },
        depth,
      };
    });
  });
  return { id, label: readText(dimension, 'caption'), things };
}

function common(thing: JsonObject, label: string, name: string, group: string) {
  const description = readTextOrDefault(thing, 'description', '');
  return {
    label,
    description,
    group,
    words: [label, name, ...texts(thing.synonyms)].join(' ').toLowerCase(),
    grains: [],
    roles: [],
    aggregations: [],
    depth: 0,
  } satisfies Partial<Thing>;
}

function entries(value: unknown): readonly JsonObject[] {
  return isObject(value) ? Object.values(value).filter(isObject) : [];
}

function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function sorted(things: readonly Thing[]): readonly Thing[] {
  return things.toSorted((left, right) => left.label.localeCompare(right.label));
}
