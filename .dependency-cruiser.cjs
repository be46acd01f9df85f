/** The floors of the house: server -> plugins -> router; element stands apart. Checked by `npm run check:imports`. */
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
      to: { dependencyTypes: ['npm', 'npm-dev'], pathNot: 'node_modules/(@trpc/(server|client)|zod|kysely)/' },
    },
    {
      name: 'plugins-never-import-the-process',
      severity: 'error',
      from: { path: '^plugins/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(server|element|demo)/' },
    },
    {
      name: 'a-plugin-through-its-index',
      comment:
        'Only through its index.ts. The converter of cube schemas reads them as the cube surface does, without the surface.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/', pathNot: '^plugins/semantic/convert/cube/schema\\.ts$' },
      to: { path: '^plugins/([^/]+)/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/index\\.ts$'] },
    },
    {
      name: 'only-the-launcher-knows-everybody',
      comment: 'The launcher for the server, cli/surfaces.ts for commands that run without it.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(launcher|cli/surfaces)\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^plugins/' },
    },
    {
      name: 'element-stands-apart',
      severity: 'error',
      from: { path: '^element/', pathNot: '\\.test\\.ts$|config\\.ts$' },
      to: { path: '^(server|plugins|router|demo|skills)/' },
    },
    {
      name: 'product-never-imports-tests-or-demo',
      severity: 'error',
      from: { path: '^(server|plugins|router|element)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^demo/|\\.test\\.ts$' },
    },
    {
      name: 'not-to-unresolvable',
      comment:
        'server/service.cjs imports what the build puts beside it, the host pages that are bundled the built package.',
      severity: 'error',
      from: { pathNot: '^(server/service\\.cjs$|demo/hosts/(bundled|desk|react|vue)/)' },
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
