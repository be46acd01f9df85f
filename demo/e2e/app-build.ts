/** Builds one component like a project of its framework does, with the compilers of the demo's host apps. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type Framework = 'react' | 'vue';

const PROJECTS: Readonly<Record<Framework, (component: string) => Readonly<Record<string, string>>>> = {
  react: (component) => ({
    'src/main.tsx': `
      import { createElement } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Embed } from './embed.tsx';
      createRoot(document.getElementById('app')!).render(createElement(Embed));`,
    'src/embed.tsx': component,
    'vite.config.ts': 'export default {};',
  }),
  vue: (component) => ({
    'src/main.ts': `
      import { createApp } from 'vue';
      import Embed from './embed.vue';
      createApp(Embed).mount('#app');`,
    'src/embed.vue': component,
    'vite.config.ts': `
      import { components } from ${JSON.stringify(resolve('demo/host-pages/vue/components.ts'))};
      export default { plugins: [components()] };`,
  }),
};

/**
 * Builds a page that shows `component`: for React a module that exports `Embed`, for Vue a single-file component.
 * Returns the project's folder, which the caller removes; the page is in `dist`.
 */
export function buildApp(framework: Framework, component: string): string {
  const folder = mkdtempSync(join(tmpdir(), `service-${framework}-`));
  const main = framework === 'react' ? 'main.tsx' : 'main.ts';
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx" } }',
    'index.html': `<!doctype html><html lang="en"><title>An app</title><div id="app"></div><script type="module" src="/src/${main}"></script></html>`,
    ...PROJECTS[framework](component),
  };
  mkdirSync(join(folder, 'src'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (status !== 0) throw new Error(`${framework} does not build:\n${stdout}${stderr}`);
  return folder;
}
