/** Tests that npm installs the element's package from a server, and that its typings are whole for strict projects. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from './product.ts';

const REACT = `
import { useRef } from 'react';
import type { EmbedFilter, ServiceEmbed as ServiceEmbedElement } from 'service-embed';
import { ServiceEmbed } from 'service-embed/react';

const filter: EmbedFilter = { 'stores.region': ['North'] };
export function Embed() {
  const element = useRef<ServiceEmbedElement>(null);
  return (
    <ServiceEmbed ref={element} server="https://analytics.example.com" path="shared/a.service" render="chart"
      className="wide" filter={filter} getToken={async () => 'tx-1'}
      onServiceSelect={({ detail }) => void element.current?.refresh().then(() => detail.row.toFixed())} />
  );
}
// @ts-expect-error The name is misspelt.
export const misspelt = <ServiceEmbed sever="https://analytics.example.com" />;
// @ts-expect-error The event has other details.
export const another = <ServiceEmbed onServiceLoad={({ detail }) => detail.record} />;
export const tag = <service-embed path="shared/a.service" onservice-load={({ detail }) => detail.rowCount} />;
`;
const VUE = `
<script setup lang="ts">
import { ServiceEmbed } from 'service-embed/vue';
import { ref } from 'vue';

const region = ref<string | null>();
</script>
<template>
  <ServiceEmbed server="https://analytics.example.com" path="shared/a.service" render="chart" time-zone="UTC" class="wide"
    :filter="region ? { 'stores.region': [region] } : undefined" :get-token="async () => 'tx-1'"
    @service-select="region = $event.detail.record['stores.region']" />
</template>
`;
const WRONG_VUE = `
<script setup lang="ts">
import { ServiceEmbed } from 'service-embed/vue';
</script>
<template><ServiceEmbed :path="5" @service-load="(event) => event.detail.record" /></template>
`;
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    jsx: 'react-jsx',
    types: [],
  },
  include: ['src'],
};
/** Packages of the project that are not the element's own. */
const OTHERS = ['react', '@types/react', 'vue'];

let product: Product;
let project: string;

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}
const compile = (compiler: string) => run(process.execPath, [resolve('node_modules', compiler), '-p', '.']);

beforeAll(async () => {
  product = await startProduct();
  project = mkdtempSync(join(tmpdir(), 'service-package-'));
  mkdirSync(join(project, 'src'));
  for (const [name, text] of Object.entries({
    'package.json': '{ "type": "module", "private": true }',
    'tsconfig.json': JSON.stringify(TSCONFIG),
    'src/embed.tsx': REACT,
    'src/embed.vue': VUE,
  }))
    writeFileSync(join(project, name), text);
});

afterAll(async () => {
  await product?.stop();
  if (project !== undefined) rmSync(project, { recursive: true });
});

test('npm installs the address that Share prints', async () => {
  const { version } = JSON.parse(readFileSync('element/package.json', 'utf8'));
  const url = `${product.url}/ui/service-embed-${version}.tgz`;
  const installed = run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--omit=peer', url]);
  expect(installed).toMatchObject({ status: 0 });
  const folder = join(project, 'node_modules/service-embed');
  const { exports: entries } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = Object.values(entries).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(Object(entry)),
  );
  expect(files.filter((file) => !existsSync(join(folder, String(file))))).toEqual([]);
  for (const name of OTHERS) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  }
});

test('its typings are whole for tsc in strict mode, libraries too', () => {
  expect(compile('typescript-7/bin/tsc')).toEqual({ status: 0, output: '' });
});

test('its typings are whole for vue-tsc, which refuses only the template with wrong names', () => {
  writeFileSync(join(project, 'src/wrong.vue'), WRONG_VUE);
  const { output } = compile('vue-tsc/bin/vue-tsc.js');
  expect(output.trim().split('\n')).toEqual([
    expect.stringMatching(/^src\/wrong\.vue.*Type 'number' is not assignable to type 'string'/),
    expect.stringMatching(/^src\/wrong\.vue.*Property 'record' does not exist/),
  ]);
});

test('the modules for frameworks can be imported on a server', () => {
  cpSync(resolve('demo/e2e/render-on-server.mjs'), join(project, 'render-on-server.mjs'));
  symlinkSync(resolve('node_modules/react-dom'), join(project, 'node_modules/react-dom'));
  const { status, output } = run(process.execPath, ['render-on-server.mjs']);
  expect([status, output.trim().split('\n')]).toEqual([
    0,
    ['<service-embed class="wide"></service-embed>', '<service-embed class="wide"></service-embed>'],
  ]);
});
