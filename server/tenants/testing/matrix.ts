/** Describes how each operation is called with the names of a tenant's things. The test of isolation fails for an operation without an entry. */
import type { Call } from './client.ts';
import type { Holdings, Things } from './things.ts';

/** The names for a call, and the caller's own things. */
export type Asked = Things & Holdings;

export interface Cell {
  /** Calls with the names of a tenant's things; undefined for an operation that takes no such name. */
  readonly calls: (of: Asked) => readonly Call[];
  /** Statuses of the answers to the things' owner; any success without it. */
  readonly ownerStatuses?: readonly number[];
  /** The operation takes no names and is slow, so only one stranger calls it. */
  readonly isSlow?: true;
  /** The operation ends the things that it names, so the owner calls it last. */
  readonly isLast?: true;
  /** An administrator of the default tenant, who manages tenants, may learn that the tenant exists. */
  readonly isToldToFirst?: true;
  /** The operation is for administrators of the default tenant and refuses every other caller, also for its own tenant. */
  readonly isOfInstallation?: true;
}

/** Makes the cell of an operation that takes no name of a tenant's thing. */
const NAMELESS = (call: Call = {}, ownerStatuses?: readonly number[]): Cell => ({
  calls: () => [call],
  ...(ownerStatuses === undefined ? {} : { ownerStatuses }),
});

/** Makes the cell of an operation that receives the caller's own things, and no name. */
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
  drill: { rows: true },
});

/**
 * Lists the operations of area B and the pages' copies of them.
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
    testConnection: {
      isToldToFirst: true,
      calls: ({ warehouse, savedConnection }) => [
        { body: { url: warehouse } },
        { body: { url: warehouse, id: savedConnection } },
      ],
    },
    readConnection: { calls: ({ savedConnection }) => [{ parameters: { id: savedConnection } }] },
    changeConnection: {
      calls: ({ savedConnection, connectionName }) => [
        { parameters: { id: savedConnection }, body: { name: connectionName } },
      ],
    },
    removeConnection: { calls: (of) => [{ parameters: { id: ended(of) } }], isLast: true },
    keepFiles: { ...NAMELESS({ files: { file: { name: 'mine.csv', text: 'a,b\n1,2\n' } } }), isSlow: true },
    allowedLinks: NAMELESS(),
    keepLinks: { ...NAMELESS({ body: { urls: ['https://files.example.com/mine.csv'] } }), ownerStatuses: [400] },
    profileFile: { ...NAMELESS({ files: { file: { name: 'mine.csv', text: 'a,b\n1,2\n' } } }), isSlow: true },
    profileConnection: { calls: ({ savedConnection }) => [{ parameters: { id: savedConnection }, body: {} }] },
    sampleConnection: { calls: ({ savedConnection }) => [{ parameters: { id: savedConnection, table: 'sales' } }] },
    propose: NAMELESS_OF(({ profile }) => ({ body: { profile } })),
    render: NAMELESS_OF(({ proposal }) => ({ body: proposal })),
    tryQuery: {
      calls: ({ proposal, savedConnection }) => [
        { body: { proposal, connectionId: savedConnection, mdx: 'SELECT FROM [Nothing]' } },
      ],
      ownerStatuses: [400],
    },
    publish: {
      calls: ({ proposal, savedConnection }) => [
        { body: { proposal, connectionId: savedConnection, name: `published-${copy}` } },
      ],
    },
    trace: { calls: ({ trace }) => [{ parameters: { traceId: trace } }] },
  };
};

const DATA: Readonly<Record<string, Cell>> = {
  overview: NAMELESS(),
  prepareReplacement: {
    calls: ({ connection }) => [
      { parameters: { id: connection }, files: { file: { name: 'sales.csv', text: 'place,amount\nRome,1\n' } } },
    ],
    // Its data is a file that was not uploaded.
    ownerStatuses: [409],
    isSlow: true,
  },
  confirmReplacement: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  undoReplacement: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  discardReplacement: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  describeRemoval: { calls: ({ connection }) => [{ parameters: { id: connection } }] },
  undoRemoval: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  clearUploads: NAMELESS(),
  listRefreshes: NAMELESS(),
  addRefresh: {
    calls: ({ connection }) => [{ body: { datasource: connection, folder: 'inbox', everyMinutes: 60 } }],
    ownerStatuses: [409],
  },
  runRefresh: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  compareRefresh: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  pauseRefresh: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  resumeRefresh: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  removeRefresh: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  removeUpload: { calls: ({ tenant }) => [{ parameters: { file: `${tenant}.duckdb` } }], ownerStatuses: [404] },
};

const WEBHOOKS: Readonly<Record<string, Cell>> = {
  list: NAMELESS(),
  // Nothing in these tests announces the event, so that nothing is sent.
  add: NAMELESS({ body: { url: 'https://192.0.2.1/mine', events: ['refresh.failed'] } }, [201]),
  change: { calls: ({ webhook }) => [{ parameters: { id: webhook }, body: { label: 'changed' } }] },
  renewSecret: { calls: ({ webhook }) => [{ parameters: { id: webhook } }] },
  test: { calls: ({ webhook }) => [{ parameters: { id: webhook } }] },
  deliveries: { calls: ({ webhook }) => [{ parameters: { id: webhook } }] },
  redeliver: { calls: ({ webhook, delivery }) => [{ parameters: { id: webhook, delivery } }] },
  remove: { calls: ({ webhook }) => [{ parameters: { id: webhook } }], isLast: true },
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
  query: {
    calls: (of) => [{ body: cubeQuery(of) }, { body: { ...cubeQuery(of), measures: [] } }],
    ownerStatuses: [200, 400],
  },
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
    ownerStatuses: [200, 400],
  },
  drillthrough: { calls: ({ cubeAnswer }) => [{ parameters: { queryId: cubeAnswer } }] },
  anomaly: { calls: (of) => [{ body: cubeSeries(of) }] },
  forecast: { calls: (of) => [{ body: cubeSeries(of) }] },
  executeAsync: { calls: (of) => [{ body: cubeQuery(of) }], ownerStatuses: [202] },
  ...ASYNC(({ cubeJob }) => cubeJob),
};

const SEMANTIC: Readonly<Record<string, Cell>> = {
  models: NAMELESS(),
  schema: { calls: ({ connection, model }) => [{ parameters: { connection, model } }] },
  ontology: { calls: ({ connection, model }) => [{ parameters: { connection, model } }] },
  freshness: { calls: ({ connection, model }) => [{ parameters: { connection, model } }] },
  searchValues: {
    calls: ({ connection, model }) => [{ parameters: { connection, model, dataset: 'sales', field: 'place' } }],
  },
  query: {
    calls: (of) => [{ body: semanticQuery(of) }, { body: { ...semanticQuery(of), rows: [{ dataset: 'sales' }] } }],
    ownerStatuses: [200, 400],
  },
  preview: { calls: (of) => [{ body: semanticQuery(of) }] },
  queryStream: {
    calls: (of) => [{ body: semanticQuery(of) }, { body: semanticQuery(of), parameters: { format: 'csv' } }],
  },
  rowDetail: { calls: (of) => [{ body: semanticQuery(of) }] },
  combinations: { calls: (of) => [{ body: semanticQuery(of) }] },
  anomaly: { calls: (of) => [{ body: semanticSeries(of) }] },
  forecast: { calls: (of) => [{ body: semanticSeries(of) }] },
  executeAsync: { calls: (of) => [{ body: semanticQuery(of) }], ownerStatuses: [202] },
  ...ASYNC(({ semanticJob }) => semanticJob),
};

/** The question reached the language model; its stand-in has no answer. */
const ASKED = [502];
/** The same as an event of a streamed answer. */
const STREAMED = [200];

/** Lists the names of a document for reads: its path in its tenant, and the path after the tenant's name. */
/** The field that filters of embeds are asked for. */
const FILTER_FIELD = 'sales.place';
/** A row of the saved query, whose rows are asked for. */
const ROW = '{"sales.place":"Rome"}';

const namedPaths = (path: string, tenant: string) => [path, `tenants/${tenant}/${path}`];

/** Readable with its token or grant, else refused. A document of the default tenant has the path without a tenant. */
const READ = [200, 401, 403, 404, 409];

/** Readable by its path in the tenant; the path after the tenant's name is no document's. */
const VIEWED = [200, 404];

const EMBED: Readonly<Record<string, Cell>> = {
  createToken: {
    calls: ({ query, tenant }) =>
      namedPaths(query, tenant).map((resourcePath) => ({ body: { resourceKind: 'query', resourcePath } })),
    ownerStatuses: [200, 404],
  },
  listTokens: NAMELESS({ parameters: { all: 'true' } }),
  revokeToken: {
    calls: ({ tokenId, token }) => [{ parameters: { token: tokenId } }, { parameters: { token } }],
    isLast: true,
  },
  createGrant: {
    calls: ({ query, tenant }) =>
      namedPaths(query, tenant).map((resourcePath) => ({ body: { resourceKind: 'query', resourcePath } })),
    ownerStatuses: [200, 404],
  },
  listGrants: NAMELESS(),
  removeGrant: {
    calls: ({ publicQuery, tenant }) =>
      namedPaths(publicQuery, tenant).map((path) => ({ parameters: { kind: 'query', path } })),
    ownerStatuses: [200, 404],
    isLast: true,
  },
  readQuery: {
    calls: ({ query, tenant, tokens }) =>
      namedPaths(query, tenant).flatMap((path) => [
        { parameters: { path }, isAnonymous: true },
        { parameters: { path }, embedToken: tokens.query },
      ]),
    ownerStatuses: READ,
  },
  readDashboard: {
    calls: ({ dashboard, tenant, tokens }) =>
      namedPaths(dashboard, tenant).flatMap((path) => [
        { parameters: { path }, isAnonymous: true },
        { parameters: { path }, embedToken: tokens.dashboard },
      ]),
    ownerStatuses: READ,
  },
  readTile: {
    calls: ({ dashboard, tenant, tokens }) =>
      namedPaths(dashboard, tenant).flatMap((path) => [
        { parameters: { path, tileId: 'figure' }, isAnonymous: true },
        { parameters: { path, tileId: 'figure' }, embedToken: tokens.dashboard },
      ]),
    ownerStatuses: READ,
  },
  readQueryValues: {
    calls: ({ query, tenant, tokens }) =>
      namedPaths(query, tenant).flatMap((path) => [
        { parameters: { path, field: FILTER_FIELD }, isAnonymous: true },
        { parameters: { path, field: FILTER_FIELD }, embedToken: tokens.query },
      ]),
    ownerStatuses: READ,
  },
  readTileValues: {
    calls: ({ dashboard, tenant, tokens }) =>
      namedPaths(dashboard, tenant).flatMap((path) => [
        { parameters: { path, tileId: 'narrow' }, isAnonymous: true },
        { parameters: { path, tileId: 'narrow' }, embedToken: tokens.dashboard },
      ]),
    ownerStatuses: READ,
  },
  readQueryRows: {
    calls: ({ query, tenant, tokens }) =>
      namedPaths(query, tenant).flatMap((path) => [
        { parameters: { path, at: ROW }, isAnonymous: true },
        { parameters: { path, at: ROW }, embedToken: tokens.query },
      ]),
    ownerStatuses: READ,
  },
  readTileRows: {
    calls: ({ dashboard, tenant, tokens }) =>
      namedPaths(dashboard, tenant).flatMap((path) => [
        { parameters: { path, tileId: 'figure', at: ROW }, isAnonymous: true },
        { parameters: { path, tileId: 'figure', at: ROW }, embedToken: tokens.dashboard },
      ]),
    ownerStatuses: READ,
  },
  readAskBox: {
    calls: ({ askBox, tenant, tokens }) =>
      namedPaths(askBox, tenant).map((path) => ({ parameters: { path }, embedToken: tokens.ai })),
    ownerStatuses: READ,
  },
  askInBox: {
    calls: ({ askBox, tenant, tokens }) =>
      namedPaths(askBox, tenant).map((path) => ({
        parameters: { path },
        body: { question: QUESTION },
        embedToken: tokens.ai,
      })),
    ownerStatuses: READ,
  },
  markAnswer: {
    calls: ({ askBox, tenant, tokens }) =>
      namedPaths(askBox, tenant).map((path) => ({
        parameters: { path },
        body: { question: QUESTION, verdict: 'wrong' },
        embedToken: tokens.ai,
      })),
    ownerStatuses: READ,
  },
};

/** The session decides: another tenant's document is answered like a missing one. */
const VIEW: Readonly<Record<string, Cell>> = {
  readQuery: {
    calls: ({ query, tenant }) => namedPaths(query, tenant).map((path) => ({ parameters: { path } })),
    ownerStatuses: VIEWED,
  },
  readDashboard: {
    calls: ({ dashboard, tenant }) => namedPaths(dashboard, tenant).map((path) => ({ parameters: { path } })),
    ownerStatuses: VIEWED,
  },
  readTile: {
    calls: ({ dashboard, tenant }) =>
      namedPaths(dashboard, tenant).map((path) => ({ parameters: { path, tileId: 'figure' } })),
    ownerStatuses: VIEWED,
  },
  readQueryValues: {
    calls: ({ query, tenant }) =>
      namedPaths(query, tenant).map((path) => ({ parameters: { path, field: FILTER_FIELD } })),
    ownerStatuses: VIEWED,
  },
  readTileValues: {
    calls: ({ dashboard, tenant }) =>
      namedPaths(dashboard, tenant).map((path) => ({ parameters: { path, tileId: 'narrow' } })),
    ownerStatuses: VIEWED,
  },
  readQueryRows: {
    calls: ({ query, tenant }) => namedPaths(query, tenant).map((path) => ({ parameters: { path, at: ROW } })),
    ownerStatuses: VIEWED,
  },
  readTileRows: {
    calls: ({ dashboard, tenant }) =>
      namedPaths(dashboard, tenant).map((path) => ({ parameters: { path, tileId: 'figure', at: ROW } })),
    ownerStatuses: VIEWED,
  },
  readAskBox: {
    calls: ({ askBox, tenant }) => namedPaths(askBox, tenant).map((path) => ({ parameters: { path } })),
    ownerStatuses: VIEWED,
  },
  askInBox: {
    calls: ({ askBox, tenant }) =>
      namedPaths(askBox, tenant).map((path) => ({ parameters: { path }, body: { question: QUESTION } })),
    ownerStatuses: VIEWED,
  },
  markAnswer: {
    calls: ({ askBox, tenant }) =>
      namedPaths(askBox, tenant).map((path) => ({
        parameters: { path },
        body: { question: QUESTION, verdict: 'wrong' },
      })),
    ownerStatuses: VIEWED,
  },
  answer: { calls: (of) => [{ body: { source: savedQuery(of).source } }] },
};

/** Changes of another version than the present one, by the id of the datasource. */
const changesOf = ({ connection }: Asked): readonly Call[] => [
  {
    parameters: { id: connection },
    body: { version: 'none', edits: [{ op: 'remove', on: { kind: 'metric', name: 'amount' } }] },
  },
];

export const MATRIX: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  identity: {
    login: {
      calls: ({ tenant }) => [{ body: { username: `${tenant}/ann`, password: 'a wrong one' }, isAnonymous: true }],
      ownerStatuses: [401],
    },
    logout: NAMELESS({ body: {} }),
    session: NAMELESS(),
    signInWays: NAMELESS(),
  },
  tenants: {
    list: { ...NAMELESS({}, [403]), isOfInstallation: true },
    create: { calls: ({ tenant }) => [{ body: { name: tenant } }], ownerStatuses: [403], isOfInstallation: true },
    remove: {
      calls: ({ tenant }) => [
        { parameters: { name: tenant } },
        { parameters: { name: tenant, force: 'true' } },
        { parameters: { name: 'default', force: 'true' } },
      ],
      ownerStatuses: [403],
      isOfInstallation: true,
    },
  },
  // Failures without a signed-in user, such as wrong passwords, are visible to the administrators of the default tenant.
  accounts: {
    listUsers: NAMELESS(),
    // Each tenant has a user of this name, and changes its own. Ann's queries end when her attributes change.
    setUserAttributes: NAMELESS({ parameters: { name: 'ben' }, body: { regions: ['South'] } }),
    addUser: NAMELESS({ body: { name: 'added', password: 'Quarry-lantern-78' } }, [201, 409]),
    setUserRoles: NAMELESS({ parameters: { name: 'nobody' }, body: { roles: ['ROLE_USER'] } }, [404]),
    setUserDisabled: NAMELESS({ parameters: { name: 'nobody' }, body: { disabled: true } }, [404]),
    setUserPassword: NAMELESS({ parameters: { name: 'nobody' }, body: { password: 'Quarry-lantern-78' } }, [404]),
    listApiKeys: NAMELESS(),
    createApiKey: NAMELESS({ body: { label: 'made' } }, [201]),
    revokeApiKey: NAMELESS({ parameters: { id: '00000000-0000-0000-0000-000000000000' } }, [404]),
    setApiKeyAttributes: NAMELESS(
      { parameters: { id: '00000000-0000-0000-0000-000000000000' }, body: { regions: ['South'] } },
      [404],
    ),
  },
  activity: {
    running: NAMELESS(),
    cancel: NAMELESS({ parameters: { id: '00000000-0000-0000-0000-000000000000' } }, [404]),
    slow: NAMELESS(),
    system: NAMELESS(),
    clearCache: NAMELESS({ body: {} }),
    spend: NAMELESS(),
  },
  audit: { list: NAMELESS({ parameters: { kind: 'TOKEN' } }) },
  billing: {
    // Only for the caller's own tenant; without a payment processor they are off.
    state: NAMELESS({}, [503]),
    checkoutSession: NAMELESS(
      { body: { tier: 'team', successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' } },
      [503],
    ),
    portalSession: NAMELESS({ body: { returnUrl: 'https://a.example/' } }, [503]),
    webhook: {
      calls: ({ tenantId }) => [{ body: { id: 'evt_1', client_reference_id: tenantId }, isAnonymous: true }],
      ownerStatuses: [503],
    },
  },
  semantic: SEMANTIC,
  cube: CUBE,
  semanticAsk: {
    ask: {
      calls: ({ connection, model }) => [{ body: { question: QUESTION, connection, model } }],
      ownerStatuses: ASKED,
    },
    stream: {
      calls: ({ connection, model }) => [{ body: { question: QUESTION, connection, model } }],
      ownerStatuses: STREAMED,
    },
    feedback: {
      calls: ({ connection, model }) => [{ body: { question: QUESTION, verdict: 'wrong', connection, model } }],
    },
    health: NAMELESS(),
  },
  cubeAsk: {
    ask: { calls: ({ cube }) => [{ body: { question: QUESTION, cube } }], ownerStatuses: ASKED },
    stream: { calls: ({ cube }) => [{ body: { question: QUESTION, cube } }], ownerStatuses: STREAMED },
    feedback: { calls: ({ cube }) => [{ body: { question: QUESTION, verdict: 'wrong', cube } }] },
    health: NAMELESS(),
  },
  agents: {
    describeRequest: NAMELESS({ parameters: { client_id: 'none', redirect_uri: 'https://a.example/' } }, [400, 409]),
    answerRequest: NAMELESS(
      { body: { client_id: 'none', redirect_uri: 'https://a.example/', allow: true } },
      [403, 400, 409],
    ),
    list: NAMELESS(),
    revoke: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404, 409] },
  },
  askedQuestions: {
    list: { calls: ({ connection, model }) => [{ parameters: { reference: `${connection}/${model}` } }] },
    certify: { calls: ({ trace }) => [{ parameters: { id: trace }, body: {} }], ownerStatuses: [404] },
    remove: { calls: ({ trace }) => [{ parameters: { id: trace } }], ownerStatuses: [404] },
  },
  repository: {
    list: NAMELESS(),
    read: {
      calls: ({ query, dashboard, askBox, ownDocument, tenant }) =>
        [query, dashboard, askBox, ownDocument].flatMap((path) =>
          namedPaths(path, tenant).map((each) => ({ parameters: { path: each } })),
        ),
      ownerStatuses: [200, 404],
    },
    // With the same path: a document of the caller's own tenant.
    write: {
      calls: (of) => namedPaths(of.query, of.tenant).map((path) => ({ parameters: { path }, body: savedQuery(of) })),
      ownerStatuses: [200, 400],
    },
    versions: {
      calls: ({ query, tenant }) => namedPaths(query, tenant).map((path) => ({ parameters: { path } })),
      ownerStatuses: [200, 404],
    },
    restore: {
      calls: ({ query, tenant }) => namedPaths(query, tenant).map((path) => ({ body: { path, id: 'none' } })),
      ownerStatuses: [404],
    },
    move: {
      calls: ({ askBox, tenant }) =>
        namedPaths(askBox, tenant).map((from) => ({ body: { from, to: 'shared/moved.serviceask' } })),
      ownerStatuses: [200, 404, 409],
      isLast: true,
    },
    remove: {
      calls: ({ dashboard, tenant }) => namedPaths(dashboard, tenant).map((path) => ({ parameters: { path } })),
      ownerStatuses: [200, 404],
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
        // Over the file of another tenant, and with another tenant's document.
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
      ownerStatuses: [201, 409],
    },
    refresh: NAMELESS(),
    remove: {
      calls: ({ connection }) => [{ parameters: { id: connection } }, { parameters: { id: `${connection}.sds` } }],
      ownerStatuses: [200, 404],
      isLast: true,
    },
  },
  data: DATA,
  webhooks: WEBHOOKS,
  modelDocuments: {
    list: NAMELESS(),
    read: { calls: ({ connection }) => [{ parameters: { id: connection } }], ownerStatuses: [200, 404] },
    facts: { calls: ({ connection }) => [{ parameters: { id: connection } }], ownerStatuses: [200, 404] },
    uses: { calls: ({ connection }) => [{ parameters: { id: connection } }], ownerStatuses: [200, 404] },
    tryMetric: {
      calls: ({ connection }) => [{ parameters: { id: connection }, body: { version: 'none', metric: 'amount' } }],
      ownerStatuses: [409],
    },
    checkJoin: {
      calls: ({ connection }) => [
        {
          parameters: { id: connection },
          body: { from: 'none', to: 'none', fromColumns: ['none'], toColumns: ['none'] },
        },
      ],
      ownerStatuses: [400, 404],
    },
    propose: { calls: changesOf, ownerStatuses: [409] },
    save: { calls: changesOf, ownerStatuses: [409] },
    history: { calls: ({ connection }) => [{ parameters: { id: connection } }], ownerStatuses: [200, 404] },
    compare: {
      calls: ({ connection }) => [{ parameters: { id: connection, version: 'none' } }],
      ownerStatuses: [404],
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
