/** The floors of the house: server -> plugins -> router; element stands apart. Checked by `npm run check:imports`. */

/**
 * The floors of the element, the lowest first; a name is a folder or a file in `element/src`. Nothing imports from a floor
 * above its own; the parts of one floor may import each other one way.
 */
const ELEMENT_FLOORS = [
  ['generated', 'limits', 'chart-modes'],
  ['api'],
  ['words'],
  ['formats', 'read-attributes', 'events'],
  ['state'],
  ['types'],
  ['table'],
  ['render', 'lazy'],
  ['controllers'],
  ['chart', 'grid', 'matrix', 'export', 'refresh', 'filters', 'drill'],
  ['kpi', 'notation', 'formatting', 'markdown', 'dashboard', 'ask'],
  ['embed-element', 'register'],
  ['element', 'script', 'ssr', 'register-element', 'index'],
  ['properties'],
  ['react', 'vue'],
];
const inElement = (names) => `^element/src/(${names.join('|')})(/|\\.ts$)`;

/**
 * The floors of the MDX engine, the lowest first; a name is a folder or a file in `plugins/cube/mdx`. They are the way of
 * a query: text, metadata, statements, what is read and kept, what a role sees, values, calculations, what is asked for.
 */
const MDX_FLOORS = [
  ['limits'],
  ['syntax'],
  ['loading'],
  ['metadata'],
  ['sql'],
  ['storage'],
  ['security'],
  ['cube'],
  ['evaluate'],
  ['compile'],
  ['pushdown'],
  ['functions'],
  ['query'],
  ['mdx-catalog'],
  ['index'],
];
const inMdx = (names) => `^plugins/cube/mdx/(${names.join('|')})(/|\\.ts$)`;

/**
 * The floors of the cube surface, the lowest first; a name is a folder or a file in `plugins/cube`. The schema and the MDX
 * engine are below what a role sees of a cube; catalogs serve cubes; queries and descriptions need a catalog; operations
 * need both.
 */
const CUBE_FLOORS = [
  ['limits', 'settings', 'format', 'scripts'],
  ['api'],
  ['schema'],
  ['mdx'],
  ['engine'],
  ['cube-metadata'],
  ['catalog'],
  ['query'],
  ['describe'],
  ['recent-queries'],
  ['operations'],
  ['cube-surface', 'offline'],
  ['index'],
];
const inCube = (names) => `^plugins/cube/(${names.join('|')})(/|\\.ts$)`;

/** The floors of the reader of cube schemas, the lowest first; a name is a folder or a file in `plugins/cube/schema`. */
const CUBE_SCHEMA_FLOORS = [
  ['located', 'mdx-name', 'freeze', 'translate-sql', 'aggregators'],
  ['role-model', 'relation-model'],
  ['aggregate-model'],
  ['model'],
  ['level-expressions', 'relation-leaves', 'dialect-sql', 'with-column-types'],
  ['xml'],
  ['check'],
  ['shared-elements'],
  ['mondrian3'],
  ['mondrian4'],
  ['read-schema'],
];
const inCubeSchema = (names) => `^plugins/cube/schema/(${names.join('|')})(/|\\.ts$)`;

/** The stages of a cube query in their order; a name is a folder or a file in `plugins/cube/query`. */
const CUBE_QUERY_FLOORS = [
  ['resolve'],
  ['compile'],
  ['execute'],
  ['answer'],
  ['certified-answers', 'pipeline', 'what-if', 'drillthrough', 'time-series'],
];
const inCubeQuery = (names) => `^plugins/cube/query/(${names.join('|')})(/|\\.ts$)`;

/**
 * The floors of cube inference, the lowest first: what columns tell, what a proposal is, what makes one, is made of one or bounds one,
 * the threads that do it, profiles of warehouses, the operations.
 */
const INFERENCE_FLOORS = [
  ['limits', 'file-reading', 'schemas'],
  ['stores'],
  ['detect'],
  ['proposal'],
  ['rules', 'render', 'personal'],
  ['work'],
  ['profile'],
  ['connections'],
  ['uploads'],
  ['propose'],
  ['publish'],
  ['operations', 'error-format'],
  ['inference-surface'],
  ['index'],
];
const inInference = (names) => `^plugins/inference/(${names.join('|')})(/|\\.ts$)`;

/**
 * The floors of the pages, the lowest first; a name is a folder in `server/ui`: what every page uses, documents and the
 * session, code to copy, what pages embed in common, the pages.
 */
const UI_FLOORS = [
  ['styles', 'api-client', 'words', 'locales'],
  ['documents', 'shell', 'parts'],
  ['code'],
  ['gallery', 'share'],
  [
    'add-data',
    'admin-audit',
    'admin-queries',
    'admin-system',
    'admin-tenants',
    'admin-users',
    'api',
    'authorize',
    'data',
    'develop-agents',
    'develop-keys',
    'develop-tokens',
    'develop-webhooks',
    'documents-page',
    'explore',
    'home',
    'model',
    'not-found',
    'sign-in',
    'view',
  ],
];
const inUi = (names) => `^server/ui/(${names.join('|')})/`;

/** Tests and their fixtures, which import from any floor. */
const TESTS = ['\\.test\\.ts$', '/testing/'];

/**
 * The floors of the frame, the lowest first; a name is a folder or a file in `router`: values and closed lists, errors and
 * capabilities, how errors and inputs are read, how an operation is declared, and what serves operations.
 */
const ROUTER_FLOORS = [
  [
    'abort',
    'ascii-json',
    'base-path',
    'chart-modes',
    'chart-settings',
    'cooperative-sort',
    'cooperative-yield',
    'date-grains',
    'file-version',
    'filter-operators',
    'key-scopes',
    'limits',
    'name-words',
    'nearest-names',
    'once',
    'plural',
    'process-mark',
    'read-once',
    'record',
    'relative-periods',
    'reply',
    'schema-messages',
    'short',
    'tile-kinds',
    'view-forms',
    'warehouse-engines',
  ],
  [
    'bounded',
    'calendar',
    'chart-settings-schema',
    'connection-forms',
    'json-pieces',
    'json-schema',
    'path',
    'quantity-text',
    'time-zone',
  ],
  ['capabilities', 'certified-answer', 'errors', 'steps'],
  [
    'answer-checks',
    'compiled-query',
    'declaration',
    'disk-full',
    'error-body',
    'json',
    'kept-bytes',
    'per-tenant',
    'repeated-answer',
    'sealed-password',
    'single-flight',
    'tracked-cache',
  ],
  ['access', 'ask-source', 'calling-user', 'to-service-error', 'view-as', 'without-nulls'],
  ['call-operation', 'operation', 'parse-input'],
  ['counted-operation', 'plugin'],
  ['rest'],
  ['openapi', 'tools'],
];
const inRouter = (names) => `^router/(${names.join('|')})(/|\\.ts$)`;

/**
 * The floors of the process, the lowest first; a name is a folder or a file in `server`: files and logs, the stores and
 * engines, what is built on them, settings, what the settings configure, an opened installation, HTTP, the launchers, the
 * commands.
 */
const SERVER_FLOORS = [
  [
    'compiled-code',
    'demo',
    'disk',
    'entry-points',
    'fair-share',
    'home-directory',
    'log',
    'skills',
    'sqlite',
    'ui',
    'version',
  ],
  ['cache', 'file-import', 'identity', 'jobs', 'repository', 'state', 'warehouse', 'workers'],
  ['activity', 'audit', 'backup', 'links', 'table-writer', 'tenants'],
  ['config'],
  ['billing', 'llm', 'vault', 'webhooks'],
  ['embed-signatures', 'installation', 'oauth', 'oidc'],
  ['eval', 'http', 'import-command'],
  ['health', 'telemetry'],
  ['launcher-capabilities', 'launcher-import', 'all-migrations', 'launcher-offline', 'launcher-rollups', 'cube-worker'],
  ['launcher-queries'],
  ['launcher-inference'],
  ['launcher-care'],
  ['launcher-surfaces'],
  ['launcher-service'],
  ['launcher'],
  ['cli', 'client'],
  ['main', 'service'],
];
const inServer = (names) => `^server/(${names.join('|')})(/|\\.c?[tj]s$)`;

/**
 * The floors of analytics, the lowest first: limits and methods, mathematics, the series of an answer, the two analyses,
 * the tasks of worker threads, and what surfaces call.
 */
const ANALYTICS_FLOORS = [
  ['limits', 'methods', 'forecast-models'],
  ['schemas'],
  ['numeric'],
  ['seasonality'],
  ['series'],
  ['anomaly', 'forecast'],
  ['work'],
  ['answer'],
  ['index'],
];
const inAnalytics = (names) => `^plugins/analytics/(${names.join('|')})(/|\\.ts$)`;

/**
 * The floors of the semantic surface, the lowest first; a name is a folder or a file in `plugins/semantic`: models, the parts of
 * requests, queries, what describes and checks models, the operations.
 */
const SEMANTIC_FLOORS = [
  ['limits'],
  ['model'],
  ['compare', 'filter-schemas', 'write', 'document-reader', 'sql-memory', 'sql-worker', 'yaml-worker'],
  ['schemas'],
  ['schemas-analytics'],
  ['query'],
  ['certified-answers', 'total-statement'],
  ['load'],
  ['catalog', 'lint', 'schema-api'],
  ['prepare'],
  ['rollups'],
  ['offline', 'operations', 'error-format'],
  ['edit'],
  ['semantic-surface'],
  ['index'],
  ['conformance'],
];
const inSemantic = (names) => `^plugins/semantic/(${names.join('|')})(/|\\.ts$)`;

/**
 * The rooms of a semantic query, the lowest first: what the stages hand to each other, how datasets are joined, and then the stages
 * in the order in which a query runs through them.
 */
const SEMANTIC_QUERY_FLOORS = [
  ['nodes'],
  ['joins'],
  ['request'],
  ['resolve'],
  ['plan'],
  ['render'],
  ['execute'],
  ['answer'],
  ['explain'],
  ['pipeline'],
  ['combinations'],
];
const inSemanticQuery = (names) => `^plugins/semantic/query/(${names.join('|')})(/|\\.ts$)`;

/** Rules that let no floor import from one above it, and no folder be without a floor. */
function floorRules(area, root, floors, within, exempt = []) {
  return [
    ...floors.slice(0, -1).map((floor, index) => ({
      name: `${area}-below-${floors[index + 1][0]}`,
      severity: 'error',
      from: { path: within(floor), pathNot: exempt },
      to: { path: within(floors.slice(index + 1).flat()) },
    })),
    {
      name: `${area}-every-folder-has-a-floor`,
      severity: 'error',
      from: { path: root, pathNot: [within(floors.flat()), ...exempt] },
      to: {},
    },
  ];
}

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'router-is-the-ground-floor',
      comment: 'router/ knows no feature: it imports tRPC, zod and Kysely types, nothing of ours.',
      severity: 'error',
      from: { path: '^router/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(server|plugins|element|demo|skills)/' },
    },
    {
      name: 'router-libraries',
      severity: 'error',
      from: { path: '^router/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['npm', 'npm-dev'],
        pathNot: 'node_modules/(@trpc/(server|client)|zod|kysely|fastest-levenshtein)/',
      },
    },
    {
      name: 'plugins-never-import-the-process',
      comment: 'Save tests, and the fixture that starts engines for them.',
      severity: 'error',
      from: { path: '^plugins/', pathNot: '(\\.test|/testing/engine-fixture)\\.ts$' },
      to: { path: '^(server|element|demo)/' },
    },
    {
      name: 'a-plugin-through-its-index',
      comment: 'Tests may use the test fixtures of another plugin.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^plugins/([^/]+)/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/index\\.ts$'] },
    },
    {
      name: 'a-test-uses-another-plugin-through-its-index-or-fixtures',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/.*\\.test\\.ts$' },
      to: { path: '^plugins/([^/]+)/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/(index\\.ts$|testing/)'] },
    },
    {
      name: 'only-the-launcher-knows-everybody',
      comment:
        'The launcher of the server, that of the commands that run without it, and the thread that has only the engine of cubes.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [
          '^server/(launcher(-capabilities|-queries|-inference|-care|-surfaces|-service|-offline|-import|-rollups)?|all-migrations|cube-worker)\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^plugins/' },
    },
    {
      name: 'the-launcher-uses-a-plugin-through-its-index',
      severity: 'error',
      from: { path: '^server/(launcher|all-migrations)', pathNot: '\\.test\\.ts$' },
      to: { path: '^plugins/', pathNot: '^plugins/[^/]+/index\\.ts$' },
    },
    {
      name: 'element-stands-apart',
      severity: 'error',
      from: { path: '^element/', pathNot: '\\.test\\.ts$|config\\.ts$' },
      to: { path: '^(server|plugins|router|demo|skills)/' },
    },
    ...floorRules('element', '^element/src/', ELEMENT_FLOORS, inElement),
    ...floorRules('mdx', '^plugins/cube/mdx/', MDX_FLOORS, inMdx, TESTS),
    ...floorRules('cube', '^plugins/cube/', CUBE_FLOORS, inCube, TESTS),
    ...floorRules('cube-schema', '^plugins/cube/schema/', CUBE_SCHEMA_FLOORS, inCubeSchema, TESTS),
    ...floorRules('cube-query', '^plugins/cube/query/', CUBE_QUERY_FLOORS, inCubeQuery, TESTS),
    {
      name: 'cube-uses-mdx-through-its-index',
      severity: 'error',
      from: { path: '^plugins/cube/', pathNot: ['^plugins/cube/mdx/', ...TESTS] },
      to: { path: '^plugins/cube/mdx/', pathNot: '^plugins/cube/mdx/index\\.ts$' },
    },
    ...floorRules('analytics', '^plugins/analytics/', ANALYTICS_FLOORS, inAnalytics, TESTS),
    ...floorRules('inference', '^plugins/inference/', INFERENCE_FLOORS, inInference, TESTS),
    ...floorRules('ui', '^server/ui/[^/]+/', UI_FLOORS, inUi),
    {
      name: 'pages-import-no-server',
      severity: 'error',
      from: { path: '^server/ui/' },
      to: { path: '^(server|plugins)/', pathNot: '^server/ui/' },
    },
    ...floorRules('router', '^router/', ROUTER_FLOORS, inRouter, TESTS),
    ...floorRules('server', '^server/', SERVER_FLOORS, inServer, TESTS),
    ...floorRules('semantic', '^plugins/semantic/', SEMANTIC_FLOORS, inSemantic, TESTS),
    ...floorRules('semantic-query', '^plugins/semantic/query/', SEMANTIC_QUERY_FLOORS, inSemanticQuery, TESTS),
    {
      name: 'product-never-imports-tests-or-demo',
      severity: 'error',
      from: { path: '^(server|plugins|router|element)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^demo/|(\\.test|/testing/engine-fixture)\\.ts$' },
    },
    {
      name: 'not-to-unresolvable',
      comment:
        'server/service.cjs imports what the build puts beside it; host pages that are bundled or rendered the built package.',
      severity: 'error',
      from: {
        pathNot:
          '^(server/service\\.cjs$|demo/(host-pages/(angular|bundled|desk|next|react|svelte|vue)/|e2e/render-on-server\\.mjs$))',
      },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
