/** What there is to ask, as resources that a client can list, read and put into a conversation. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { MAX_URI_LENGTH } from './limits.ts';
import type { Session } from './session.ts';

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A kind of resource: its address, how to list and how to read resources. */
interface ResourceKind {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Names of the parts of the address, in their order. */
  readonly variables: readonly string[];
  list(session: Session): Promise<readonly { readonly parts: readonly string[]; readonly description: string }[]>;
  read(session: Session, parts: readonly string[]): Promise<string | undefined>;
}

const SCHEME = 'service://';

export const RESOURCE_KINDS: Readonly<Record<'model' | 'cube' | 'skill', ResourceKind>> = {
  model: {
    uriTemplate: `${SCHEME}model/{connection}/{model}`,
    name: 'model',
    title: 'Semantic model',
    description: 'Datasets, fields, metrics and examples.',
    mimeType: 'application/json',
    variables: ['connection', 'model'],
    async list(session) {
      const { models } = (await session.output('list_semantic_models', {})) as {
        readonly models: readonly ModelLine[];
      };
      return models.map(({ connectionName, modelName, description }) => ({
        parts: [connectionName, modelName],
        description: description ?? '',
      }));
    },
    async read(session, [connection, model]) {
      return session.found('describe_semantic_model', { connection, model });
    },
  },
  cube: {
    uriTemplate: `${SCHEME}cube/{connection}/{catalog}/{schema}/{cube}`,
    name: 'cube',
    title: 'Cube',
    description: 'Measures, dimensions, levels and examples.',
    mimeType: 'application/json',
    variables: ['connection', 'catalog', 'schema', 'cube'],
    async list(session) {
      const { cubes } = (await session.output('list_cubes', {})) as { readonly cubes: readonly CubeLine[] };
      return cubes.map(({ connectionName, catalog, schema, cubeName, cubeCaption }) => ({
        parts: [connectionName, catalog, schema, cubeName],
        description: cubeCaption ?? '',
      }));
    },
    async read(session, parts) {
      return session.found('describe_cube', { cubeId: parts.join('/') });
    },
  },
  skill: {
    uriTemplate: `${SCHEME}skill/{name}`,
    name: 'skill',
    title: 'Skill',
    description: 'A workflow of the administrator, in markdown.',
    mimeType: 'text/markdown',
    variables: ['name'],
    async list(session) {
      return [...(await session.skills()).skills.values()].map(({ name, description }) => ({
        parts: [name],
        description,
      }));
    },
    async read(session, [name = '']) {
      return (await session.skills()).skills.get(name)?.markdown;
    },
  },
};

interface ModelLine {
  readonly connectionName: string;
  readonly modelName: string;
  readonly description?: string | undefined;
}

interface CubeLine {
  readonly connectionName: string;
  readonly catalog: string;
  readonly schema: string;
  readonly cubeName: string;
  readonly cubeCaption?: string | undefined;
}

/** Lists every resource that the caller may read. */
export async function listResources(session: Session): Promise<readonly ListedResource[]> {
  const lists = await Promise.all(
    Object.entries(RESOURCE_KINDS).map(async ([kind, { title, mimeType, list }]) =>
      (await list(session)).map(
        ({ parts, description }): ListedResource => ({
          uri: `${SCHEME}${kind}/${parts.map(encodeURIComponent).join('/')}`,
          name: parts.join('/'),
          title: `${title} ${parts.at(-1)}`,
          description,
          mimeType,
        }),
      ),
    ),
  );
  return lists.flat();
}

/**
 * Reads one resource.
 *
 * @throws ResourceNotFoundError when the caller may read no resource at that address
 */
export async function readResource(session: Session, uri: string) {
  const parsed = parseUri(uri);
  const text = parsed && (await parsed.kind.read(session, parsed.parts));
  if (parsed === undefined || text === undefined) throw new ResourceNotFoundError(uri.slice(0, MAX_URI_LENGTH));
  return { uri, mimeType: parsed.kind.mimeType, text };
}

function parseUri(uri: string): { readonly kind: ResourceKind; readonly parts: readonly string[] } | undefined {
  if (!uri.startsWith(SCHEME) || uri.length > MAX_URI_LENGTH) return undefined;
  const [name = '', ...encoded] = uri.slice(SCHEME.length).split('/');
  const kind = Object.entries(RESOURCE_KINDS).find(([each]) => each === name)?.[1];
  if (kind === undefined || encoded.length !== kind.variables.length) return undefined;
  try {
    return { kind, parts: encoded.map(decodeURIComponent) };
  } catch {
    return undefined;
  }
}

/**
 * Returns the values that a part of an address may have, given the other parts that are known.
 *
 * @throws ProtocolError when there is no such template or part
 */
export async function completeResource(
  session: Session,
  uriTemplate: string,
  variable: string,
  begun: string,
  filledParts: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const kind = Object.values(RESOURCE_KINDS).find((each) => each.uriTemplate === uriTemplate);
  const place = kind?.variables.indexOf(variable) ?? -1;
  if (kind === undefined || place < 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource template, or no such part.');
  }
  const values = (await kind.list(session))
    .filter(({ parts }) =>
      kind.variables.every((name, at) => at === place || !(name in filledParts) || filledParts[name] === parts[at]),
    )
    .map(({ parts }) => parts[place] ?? '');
  const folded = begun.toLowerCase();
  return [...new Set(values)].filter((value) => value.toLowerCase().startsWith(folded));
}
