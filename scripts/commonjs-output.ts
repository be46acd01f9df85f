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
