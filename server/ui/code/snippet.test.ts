import ts from 'typescript';
import { expect, test } from 'vitest';
import {
  type Embed,
  escapeAttribute,
  packageAddress,
  writeHtmlSnippet,
  writeReactSnippet,
  writeVueSnippet,
} from './snippet.ts';

const chart: Embed = {
  path: 'shared/demo/sales-by-region.service',
  kind: 'query',
  render: 'chart',
  mode: 'bar',
  height: '320px',
};

test('the code of a chart is the script and the element', () => {
  expect(writeHtmlSnippet('https://bi.example.com', chart)).toBe(
    `<script src="https://bi.example.com/ui/service-embed.js"></script>
<service-embed
  server="https://bi.example.com"
  path="shared/demo/sales-by-region.service"
  kind="query"
  render="chart"
  mode="bar"
  height="320px"
></service-embed>`,
  );
});

test('the code of an ask box contains its token, and no attributes of queries', () => {
  const box: Embed = { ...chart, path: 'shared/ask.serviceask', kind: 'ai', height: '', token: 'tx-1' };
  expect(writeHtmlSnippet('https://bi.example.com', box).split('\n').slice(1)).toEqual([
    '<service-embed',
    '  server="https://bi.example.com"',
    '  path="shared/ask.serviceask"',
    '  kind="ai"',
    '  token="tx-1"',
    '></service-embed>',
  ]);
});

test('pinned, the script is one version, with its hash', () => {
  const pinned = { version: '1.2.3', script: 'service-embed@1.2.3.js', integrity: 'sha384-a+b/c=' };
  const [script = '', element] = writeHtmlSnippet('https://bi.example.com', chart, pinned).split('</script>\n');
  expect(script).toBe(`<script
  src="https://bi.example.com/ui/service-embed@1.2.3.js"
  integrity="sha384-a+b/c="
  crossorigin="anonymous"
>`);
  expect(element).toBe(writeHtmlSnippet('https://bi.example.com', chart).split('</script>\n')[1]);
});

test('a table has no mode', () => {
  const html = writeHtmlSnippet('http://localhost:8080', { ...chart, render: 'table' });
  expect(html).toContain('render="table"');
  expect(html).not.toContain('mode=');
});

test('a dashboard has neither render nor mode, and the default height is not written', () => {
  const html = writeHtmlSnippet('http://localhost:8080', { ...chart, kind: 'dashboard', height: '' });
  expect(html).toContain('kind="dashboard"');
  expect(html).not.toMatch(/render=|mode=|height=/);
});

test('a hostile path stays inside its attribute', () => {
  const html = writeHtmlSnippet('http://localhost:8080', {
    ...chart,
    path: 'shared/"><script>alert(1)</script>&amp;.service',
  });
  expect(html).toContain('path="shared/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;.service"');
  expect(html.match(/<script/g)).toHaveLength(1);
});

test('the four characters of an attribute are escaped once', () => {
  expect(escapeAttribute(`<a href="x?y&z">'`)).toBe(`&lt;a href=&quot;x?y&amp;z&quot;&gt;'`);
});

const shared: Embed = { ...chart, theme: 'dark', token: 'tx-1' };

test('token, theme and height are written where they differ from the default', () => {
  expect(writeHtmlSnippet('https://bi.example.com', shared)).toContain(
    '\n  kind="query"\n  token="tx-1"\n  render="chart"\n  mode="bar"\n  theme="dark"\n  height="320px"\n>',
  );
});

test('a number has no mode, and a light theme is the default', () => {
  const html = writeHtmlSnippet('https://bi.example.com', { ...shared, render: 'kpi', theme: 'light' });
  expect(html).toContain('render="kpi"\n  height=');
});

const HOSTILE = 'shared/"}{<\\n>\'&quot;{a}{{ b }}.service';

test('React receives every attribute unchanged, also a hostile one', () => {
  expect(propsInReact(writeReactSnippet('https://bi.example.com', { ...shared, path: HOSTILE }))).toEqual({
    server: 'https://bi.example.com',
    path: HOSTILE,
    kind: 'query',
    token: 'tx-1',
    render: 'chart',
    mode: 'bar',
    theme: 'dark',
    height: '320px',
  });
});

test('a Vue component has the same attributes in its template as the HTML', () => {
  const vue = writeVueSnippet('https://bi.example.com', { ...shared, path: HOSTILE });
  const [script = '', template = ''] = vue.split('\n\n');
  expect(script).toBe("<script setup>\nimport { ServiceEmbed } from 'service-embed/vue';\n</script>");
  const [, html = ''] = writeHtmlSnippet('https://bi.example.com', { ...shared, path: HOSTILE }).split('</script>\n');
  const component = html.replace('<service-embed', '<ServiceEmbed').replace('></service-embed>', '/>');
  expect(template.replaceAll(/^ {2}/gm, '')).toBe(`<template>\n${component}\n</template>`);
});

test('npm installs the package of this server, or the one of that name where its version is unknown', () => {
  const { pathname, origin } = new URL(packageAddress('https://bi.example.com/base', { version: '1.2.3' }));
  expect([origin, pathname]).toEqual(['https://bi.example.com', '/base/ui/service-embed-1.2.3.tgz']);
  expect(packageAddress('https://bi.example.com', undefined)).toBe('service-embed');
});

/** Returns the props that React receives: compiles the module with TypeScript and calls its component. */
function propsInReact(module: string): unknown {
  const { outputText, diagnostics } = ts.transpileModule(module, {
    fileName: 'embed.jsx',
    reportDiagnostics: true,
    compilerOptions: {
      jsx: ts.JsxEmit.React,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      allowJs: true,
    },
  });
  expect(diagnostics).toEqual([]);
  const imported = "import { ServiceEmbed } from 'service-embed/react';";
  expect(outputText).toContain(imported);
  const body = outputText.replace(imported, "const ServiceEmbed = 'the component';");
  const component = new Function('React', body.replace('export function', 'return function'))({
    createElement: (_tag: string, props: unknown) => props,
  });
  return component();
}
