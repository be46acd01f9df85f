/**
 * How each operation is called with the names of somebody's things. An operation that is not in here fails the test of
 * isolation: whoever adds one says what of a tenant its input may name.
 */
import type { Call } from './client.ts';
import type { Holdings, Things } from './things.ts';

/** Whose things a call names, and what its caller holds. */
export type Asked = Things & Holdings;

export interface Cell {
  /** Calls that name things of a tenant; without it, the operation takes no name of anything. */
  readonly calls: (of: Asked) => readonly Call[];
  /**
   * What it is answered when the things are the caller's own, one of its calls as the first says; any success without
   * it.
   */
  readonly own?: readonly number[];
  /** It names nothing and takes long: one stranger tries it. */
  readonly isSlow?: true;
  /** It ends the things it names: called last in the name of who has them. */
  readonly isLast?: true;
  /** Administrators of the first tenant, who manage the others, may be told that there is such a tenant. */
  readonly isToldToFirst?: true;
  /** It is for administrators of the first tenant: every other is refused, also who names its own tenant. */
  readonly isOfInstallation?: true;
}

/** Makes the cell of an operation that takes no name of a tenant's thing. */
const NAMELESS = (call: Call = {}, own?: readonly number[]): Cell => ({
  calls: () => [call],
  ...(own === undefined ? {} : { own }),
});

/** Makes the cell of an operation that is told what the caller holds, and names nothing of anybody. */
const NAMELESS_OF = (call: (of: Asked) => Call): Cell => ({ calls: (of) => [call(of)] });

const QUESTION = 'What is the amount by place?';

function semanticQuery({ connection, model }: Asked) {
  return { connection, model, rows: [{ dataset: 'sales', field: 'place' }], values: [{ metric: 'amount' }] };
}

function cubeQuery({ cube }: Asked) {
  return { cube, measures: [{ name: 'Amount' }], rows: [{ dimension: 'Place' }] };
}

const semanticSeries = (of: Asked) => ({
  query: { ...semanticQuery(of), rows: [{ dataset: 'sales', field: 'day' }] },
  timeAxis: 'sales.day',
});
const cubeSeries = (of: Asked) => ({
  query: { ...cubeQuery(of), rows: [{ dimension: 'Time' }] },
  timeAxis: '[Time].[Day]',
});

const savedQuery = (of: Asked) => ({
  version: 1,
  title: 'Saved',
  source: { surface: 'semantic', request: semanticQuery(of) },
});

/**
 * Lists areas B and the pages' own copies of it.
 *
 * @param copy so that what one makes and ends is not what the other does
 */
const inference = (copy: 'keys' | 'pages'): Readonly<Record<string, Cell>> => {
  const ended = ({ savedConnection, otherConnection }: Asked) => (copy === 'keys' ? savedConnection : otherConnection);
  return {
    listConnections: NAMELESS(),
    addConnection: {
      isToldToFirst: true,
      calls: ({ connectionName, warehouse }) => [{ body: { name: `${connectionName} ${copy}`, url: warehouse } }],
    },
    removeConnection: { calls: (of) => [{ parameters: { id: ended(of) } }], isLast: true },
    keepFiles: { ...NAMELESS({ files: { file: { name: 'mine.csv', text: 'a,b\n1,2\n' } } }), isSlow: true },
    profileFile: { ...NAMELESS({ files: { file: { name: 'mine.csv', text: 'a,b\n1,2\n' } } }), isSlow: true },
    profileConnection: { calls: ({ savedConnection }) => [{ parameters: { id: savedConnection }, body: {} }] },
    sampleConnection: { calls: ({ savedConnection }) => [{ parameters: { id: savedConnection, table: 'sales' } }] },
    propose: NAMELESS_OF(({ profile }) => ({ body: { profile } })),
    render: NAMELESS_OF(({ proposal }) => ({ body: proposal })),
    tryQuery: {
      calls: ({ proposal, savedConnection }) => [
        { body: { proposal, connectionId: savedConnection, mdx: 'SELECT FROM [Nothing]' } },
      ],
      own: [400],
    },
    publish: {
      calls: ({ proposal, savedConnection }) => [
        { body: { proposal, connectionId: savedConnection, name: `published-${copy}` } },
      ],
    },
    trace: { calls: ({ trace }) => [{ parameters: { traceId: trace } }] },
  };
};

const ASYNC = (of: (things: Asked) => string): Readonly<Record<string, Cell>> => ({
  queryStatus: { calls: (things) => [{ parameters: { queryId: of(things) } }] },
  queryResult: { calls: (things) => [{ parameters: { queryId: of(things) } }] },
  cancelQuery: { calls: (things) => [{ parameters: { queryId: of(things) } }], isLast: true },
});

const CUBE: Readonly<Record<string, Cell>> = {
  cubes: NAMELESS(),
  schema: { calls: ({ cube }) => [{ parameters: { cubeId: cube } }] },
  piiSuggestions: { calls: ({ cube }) => [{ parameters: { cubeId: cube } }] },
  searchMembers: { calls: ({ cube }) => [{ parameters: { cubeId: cube, dimension: 'Place', level: 'Place' } }] },
  query: { calls: (of) => [{ body: cubeQuery(of) }, { body: { ...cubeQuery(of), measures: [] } }], own: [200, 400] },
  preview: { calls: (of) => [{ body: cubeQuery(of) }] },
  whatIf: {
    calls: (of) => [
      {
        body: {
          query: cubeQuery(of),
          changes: [{ measure: 'Amount', members: [], value: 1, allocation: 'equal_allocation' }],
        },
      },
    ],
    own: [200, 400],
  },
  drillthrough: { calls: ({ cubeAnswer }) => [{ parameters: { queryId: cubeAnswer } }] },
  anomaly: { calls: (of) => [{ body: cubeSeries(of) }] },
  forecast: { calls: (of) => [{ body: cubeSeries(of) }] },
  executeAsync: { calls: (of) => [{ body: cubeQuery(of) }], own: [202] },
  ...ASYNC(({ cubeJob }) => cubeJob),
};

const SEMANTIC: Readonly<Record<string, Cell>> = {
  models: NAMELESS(),
  schema: { calls: ({ connection, model }) => [{ parameters: { connection, model } }] },
  ontology: { calls: ({ connection, model }) => [{ parameters: { connection, model } }] },
  searchValues: {
    calls: ({ connection, model }) => [{ parameters: { connection, model, dataset: 'sales', field: 'place' } }],
  },
  query: {
    calls: (of) => [{ body: semanticQuery(of) }, { body: { ...semanticQuery(of), rows: [{ dataset: 'sales' }] } }],
    own: [200, 400],
  },
  preview: { calls: (of) => [{ body: semanticQuery(of) }] },
  rowDetail: { calls: (of) => [{ body: semanticQuery(of) }] },
  anomaly: { calls: (of) => [{ body: semanticSeries(of) }] },
  forecast: { calls: (of) => [{ body: semanticSeries(of) }] },
  executeAsync: { calls: (of) => [{ body: semanticQuery(of) }], own: [202] },
  ...ASYNC(({ semanticJob }) => semanticJob),
};

/** The question came as far as the language model, whose stand-in knows nothing. */
const ASKED = [502];
/** As an event of an answer that has begun. */
const TOLD = [200];

/** Lists the names by which a document is read: its path in its tenant, and the path with the tenant before it. */
const namedPaths = (path: string, tenant: string) => [path, `tenants/${tenant}/${path}`];

/** By a token or a grant that opens it; else refused. A document of the first tenant has the path without a tenant. */
const READ = [200, 401, 403, 404, 409];

/** By its path in the tenant; the path with the tenant before it is no document's. */
const VIEWED = [200, 404];

const EMBED: Readonly<Record<string, Cell>> = {
  createToken: {
    calls: ({ query, tenant }) =>
      namedPaths(query, tenant).map((resourcePath) => ({ body: { resourceKind: 'query', resourcePath } })),
    own: [200, 404],
  },
  listTokens: NAMELESS({ parameters: { all: 'true' } }),
  revokeToken: {
    calls: ({ tokenId, token }) => [{ parameters: { token: tokenId } }, { parameters: { token } }],
    isLast: true,
  },
  createGrant: {
    calls: ({ query, tenant }) =>
      namedPaths(query, tenant).map((resourcePath) => ({ body: { resourceKind: 'query', resourcePath } })),
    own: [200, 404],
  },
  listGrants: NAMELESS(),
  removeGrant: {
    calls: ({ publicQuery, tenant }) =>
      namedPaths(publicQuery, tenant).map((path) => ({ parameters: { kind: 'query', path } })),
    own: [200, 404],
    isLast: true,
  },
  readQuery: {
    calls: ({ query, tenant, tokens }) =>
      namedPaths(query, tenant).flatMap((path) => [
        { parameters: { path }, isAnonymous: true },
        { parameters: { path }, embedToken: tokens.query },
      ]),
    own: READ,
  },
  readDashboard: {
    calls: ({ dashboard, tenant, tokens }) =>
      namedPaths(dashboard, tenant).flatMap((path) => [
        { parameters: { path }, isAnonymous: true },
        { parameters: { path }, embedToken: tokens.dashboard },
      ]),
    own: READ,
  },
  readTile: {
    calls: ({ dashboard, tenant, tokens }) =>
      namedPaths(dashboard, tenant).flatMap((path) => [
        { parameters: { path, tileId: 'figure' }, isAnonymous: true },
        { parameters: { path, tileId: 'figure' }, embedToken: tokens.dashboard },
      ]),
    own: READ,
  },
  readAskBox: {
    calls: ({ askBox, tenant, tokens }) =>
      namedPaths(askBox, tenant).map((path) => ({ parameters: { path }, embedToken: tokens.ai })),
    own: READ,
  },
  askInBox: {
    calls: ({ askBox, tenant, tokens }) =>
      namedPaths(askBox, tenant).map((path) => ({
        parameters: { path },
        body: { question: QUESTION },
        embedToken: tokens.ai,
      })),
    own: READ,
  },
};

/** The session is the right: a document of another tenant is none. */
const VIEW: Readonly<Record<string, Cell>> = {
  readQuery: {
    calls: ({ query, tenant }) => namedPaths(query, tenant).map((path) => ({ parameters: { path } })),
    own: VIEWED,
  },
  readDashboard: {
    calls: ({ dashboard, tenant }) => namedPaths(dashboard, tenant).map((path) => ({ parameters: { path } })),
    own: VIEWED,
  },
  readTile: {
    calls: ({ dashboard, tenant }) =>
      namedPaths(dashboard, tenant).map((path) => ({ parameters: { path, tileId: 'figure' } })),
    own: VIEWED,
  },
  readAskBox: {
    calls: ({ askBox, tenant }) => namedPaths(askBox, tenant).map((path) => ({ parameters: { path } })),
    own: VIEWED,
  },
  askInBox: {
    calls: ({ askBox, tenant }) =>
      namedPaths(askBox, tenant).map((path) => ({ parameters: { path }, body: { question: QUESTION } })),
    own: VIEWED,
  },
};

export const MATRIX: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  identity: {
    login: {
      calls: ({ tenant }) => [{ body: { username: `${tenant}/ann`, password: 'a wrong one' }, isAnonymous: true }],
      own: [401],
    },
    logout: NAMELESS({ body: {} }),
    session: NAMELESS(),
    signInWays: NAMELESS(),
  },
  tenants: {
    list: { ...NAMELESS({}, [403]), isOfInstallation: true },
    create: { calls: ({ tenant }) => [{ body: { name: tenant } }], own: [403], isOfInstallation: true },
    remove: {
      calls: ({ tenant }) => [
        { parameters: { name: tenant } },
        { parameters: { name: tenant, force: 'true' } },
        { parameters: { name: 'default', force: 'true' } },
      ],
      own: [403],
      isOfInstallation: true,
    },
  },
  // What nobody has signed in for, such as wrong passwords, is told to the administrators of the first tenant.
  audit: { list: NAMELESS({ parameters: { kind: 'TOKEN' } }) },
  billing: {
    // Of no tenant but the caller's; without a payment processor they are switched off.
    state: NAMELESS({}, [503]),
    checkoutSession: NAMELESS(
      { body: { tier: 'team', successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' } },
      [503],
    ),
    portalSession: NAMELESS({ body: { returnUrl: 'https://a.example/' } }, [503]),
    webhook: {
      calls: ({ tenantId }) => [{ body: { id: 'evt_1', client_reference_id: tenantId }, isAnonymous: true }],
      own: [503],
    },
  },
  semantic: SEMANTIC,
  cube: CUBE,
  semanticAsk: {
    ask: { calls: ({ connection, model }) => [{ body: { question: QUESTION, connection, model } }], own: ASKED },
    stream: { calls: ({ connection, model }) => [{ body: { question: QUESTION, connection, model } }], own: TOLD },
    health: NAMELESS(),
  },
  cubeAsk: {
    ask: { calls: ({ cube }) => [{ body: { question: QUESTION, cube } }], own: ASKED },
    stream: { calls: ({ cube }) => [{ body: { question: QUESTION, cube } }], own: TOLD },
    health: NAMELESS(),
  },
  repository: {
    list: NAMELESS(),
    read: {
      calls: ({ query, dashboard, askBox, ownDocument, tenant }) =>
        [query, dashboard, askBox, ownDocument].flatMap((path) =>
          namedPaths(path, tenant).map((each) => ({ parameters: { path: each } })),
        ),
      own: [200, 404],
    },
    // Of the same path: a document of the caller's own tenant.
    write: {
      calls: (of) => namedPaths(of.query, of.tenant).map((path) => ({ parameters: { path }, body: savedQuery(of) })),
      own: [200, 400],
    },
    remove: {
      calls: ({ dashboard, tenant }) => namedPaths(dashboard, tenant).map((path) => ({ parameters: { path } })),
      own: [200, 404],
      isLast: true,
    },
  },
  embed: EMBED,
  view: VIEW,
  datasources: {
    list: NAMELESS(),
    add: {
      isToldToFirst: true,
      calls: ({ warehouse, modelFile }) => [
        // Over the file of another tenant, and with the document of another.
        { body: { id: 'over', name: 'over', type: 'SEMANTIC', semanticYaml: 'shop.yaml', location: warehouse } },
        {
          body: {
            id: 'with',
            name: 'with',
            type: 'SEMANTIC',
            semanticYaml: modelFile,
            location: 'jdbc:postgresql://127.0.0.1:1/x',
          },
        },
      ],
      own: [201, 409],
    },
    refresh: NAMELESS(),
    remove: {
      calls: ({ connection }) => [{ parameters: { id: connection } }, { parameters: { id: `${connection}.sds` } }],
      own: [200, 404],
      isLast: true,
    },
  },
  skills: {
    list: NAMELESS({ parameters: { errors: 'true' } }),
    read: { calls: ({ skill }) => [{ parameters: { name: skill } }] },
    refresh: NAMELESS(),
  },
  inference: inference('keys'),
  designer: inference('pages'),
};
