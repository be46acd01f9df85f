/**
 * Output of the builds for Node. It is CommonJS, because only the compiled code of CommonJS files can be kept between starts on every version of Node
 * that we support (`server/compiled-code.cjs`). Imports of libraries become `require()` there: kept code cannot call `import()`.
 */
export const COMMONJS_OUTPUT = {
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
} as const;

/**
 * Libraries that only the element's package names. The writer of PDFs and pictures paints the element's charts with them, and an installation of the
 * server does not have them.
 */
const ELEMENT_LIBRARIES = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', 'echarts', 'zrender', 'tslib'];

/**
 * Libraries of many files that every start loads. Bundled, the process starts with half of the processor time: Node finds, reads and
 * compiles each file on its own, and each thread again. Libraries with native parts, or that find files beside their own, stay outside.
 */
export const START_LIBRARIES = [
  '@duckdb/node-api',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  '@trpc/server',
  'chokidar',
  'commander',
  'cookie',
  'fastest-levenshtein',
  'helmet',
  'jose',
  'js-yaml',
  'kysely',
  'lru-cache',
  'minisearch',
  'oauth4webapi',
  'openid-client',
  'properties-file',
  're2js',
  'readdirp',
  'saxes',
  'xmlchars',
  'yaml',
  'zod',
];

/** Libraries that the build of the server contains. */
export const BUNDLED_LIBRARIES: readonly string[] = [...ELEMENT_LIBRARIES, ...START_LIBRARIES];
