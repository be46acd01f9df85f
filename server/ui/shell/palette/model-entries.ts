/** The models and cubes that the user may ask, with their fields, as entries of the search. */
import { withBasePath } from '../../api-client/base-path.ts';
import type { Client } from '../../api-client/client.ts';
import { isObject, type JsonObject, readList, readObject, readText } from '../../api-client/json.ts';
import { msg } from '../../words/words.ts';
import type { Entry } from './entry.ts';

const SURFACES = '/rest/service/api/ai';
/** The models and cubes of which the fields are searched; the others are found by their names. */
const MAX_DESCRIBED = 40;
/** Descriptions that are read at the same time. */
const MAX_READS = 4;

interface Described {
  readonly name: string;
  readonly connection: string;
  readonly description: string;
  readonly address: string;
  /** The address of its description. */
  readonly schema: string;
  readonly kind: string;
}

/** Lists models and cubes. One surface that cannot be read leaves its part out. */
export async function readModels(client: Client, signal: AbortSignal): Promise<readonly Described[]> {
  const [models, cubes] = await Promise.allSettled([
    client.get(`${SURFACES}/semantic/models`, (json) => readList(json, 'the models', readModel), signal),
    client.get(`${SURFACES}/cubes`, (json) => readList(json, 'the cubes', readCube), signal),
  ]);
  signal.throwIfAborted();
  if (models.status === 'rejected' && cubes.status === 'rejected') throw models.reason;
  return [models, cubes].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

function readModel(json: unknown): Described {
  const entry = readObject(json, 'a model');
  const [connection, name] = [readText(entry, 'connectionName'), readText(entry, 'modelName')];
  const address = [connection, name].map(encodeURIComponent).join('/');
  return {
    name,
    connection,
    description: textOf(entry, 'description'),
    address,
    schema: `${SURFACES}/semantic/schema/${address}`,
    kind: msg('semantic model'),
  };
}

function readCube(json: unknown): Described {
  const entry = readObject(json, 'a cube');
  const address = readText(entry, 'cubeId').split('/').map(encodeURIComponent).join('/');
  return {
    name: readText(entry, 'cubeCaption'),
    connection: readText(entry, 'connectionName'),
    description: textOf(entry, 'description'),
    address,
    schema: `${SURFACES}/schema/${address}`,
    kind: msg('cube'),
  };
}

/** Makes the entry of a model, which opens it in the explorer. */
export function modelEntry({ name, connection, kind, address }: Described): Entry {
  return {
    group: 'models',
    title: name,
    note: `${kind} · ${connection}`,
    action: { address: withBasePath(`/ui/explore/${address}`) },
  };
}

/** Reads the fields of models, a few models at a time, and hands over those of each as they arrive. */
export async function readFields(
  client: Client,
  models: readonly Described[],
  signal: AbortSignal,
  arrived: (entries: readonly Entry[]) => void,
): Promise<void> {
  const waiting = models.slice(0, MAX_DESCRIBED);
  const work = async (): Promise<void> => {
    for (let model = waiting.shift(); model !== undefined && !signal.aborted; model = waiting.shift()) {
      const described = model;
      // A model that is broken or gone has no fields to find.
      const entries = await client
        .get(`${model.schema}?samples=false&requestSchema=false`, (json) => fieldEntries(described, json), signal)
        .catch(() => []);
      if (!signal.aborted) arrived(entries);
    }
  };
  await Promise.all(Array.from({ length: MAX_READS }, work));
}

/** Makes the entries of the metrics and fields of a model, or of the measures and levels of a cube. */
export function fieldEntries(
  model: Pick<Described, 'name' | 'connection' | 'address'>,
  json: unknown,
): readonly Entry[] {
  const described = readObject(json, 'the description');
  const entry = (title: string, group: string, place: readonly string[]): Entry => ({
    group: 'fields',
    title,
    note: [group, model.name, model.connection].filter((each) => each !== '').join(' · '),
    action: {
      address: withBasePath(
        `/ui/explore/${model.address}?add=${place.map((part) => encodeURIComponent(encodeURIComponent(part))).join('/')}`,
      ),
    },
  });
  return [
    ...objects(described.metrics).map((each) => entry(textOf(each, 'label'), '', ['metric', textOf(each, 'name')])),
    ...objects(described.datasets).flatMap((dataset) => {
      const name = textOf(dataset, 'name');
      return objects(dataset.fields).map((each) =>
        entry(textOf(each, 'label'), name, ['field', name, textOf(each, 'name')]),
      );
    }),
    ...objects(described.measures).map((each) => entry(textOf(each, 'caption'), '', ['metric', textOf(each, 'name')])),
    ...objects(described.dimensions).flatMap((dimension) => {
      const name = textOf(dimension, 'name');
      return objects(dimension.hierarchies).flatMap((hierarchy) =>
        objects(hierarchy.levels).map((level) =>
          entry(textOf(level, 'caption'), textOf(dimension, 'caption'), [
            'level',
            name,
            textOf(hierarchy, 'name'),
            textOf(level, 'name'),
          ]),
        ),
      );
    }),
  ].filter(({ title }) => title !== '');
}

/** Returns the parts of a description, which has them by their names. */
function objects(value: unknown): readonly JsonObject[] {
  return isObject(value) ? Object.values(value).filter(isObject) : [];
}

function textOf(record: JsonObject, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}
