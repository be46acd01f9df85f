import { expect, test } from 'vitest';
import type { Exhibit } from '../gallery/showcase.ts';
import { attributeText, snippet } from './snippet.ts';

const chart: Exhibit = {
  path: 'shared/demo/sales-by-region.service',
  kind: 'query',
  title: 'Sales by region',
  description: '',
  render: 'chart',
  mode: 'bar',
  height: '320px',
};

test('a chart is pasted as the script and the element', () => {
  expect(snippet('https://bi.example.com', chart)).toBe(
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

test('a table has no mode', () => {
  const html = snippet('http://localhost:8080', { ...chart, render: 'table' });
  expect(html).toContain('render="table"');
  expect(html).not.toContain('mode=');
});

test('a dashboard has neither render nor mode, and no height of its own is the default', () => {
  const html = snippet('http://localhost:8080', { ...chart, kind: 'dashboard', height: '' });
  expect(html).toContain('kind="dashboard"');
  expect(html).not.toMatch(/render=|mode=|height=/);
});

test('a hostile path stays inside its attribute', () => {
  const html = snippet('http://localhost:8080', { ...chart, path: 'shared/"><script>alert(1)</script>&amp;.service' });
  expect(html).toContain('path="shared/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;.service"');
  expect(html.match(/<script/g)).toHaveLength(1);
});

test('the four characters of an attribute are escaped once', () => {
  expect(attributeText(`<a href="x?y&z">'`)).toBe(`&lt;a href=&quot;x?y&amp;z&quot;&gt;'`);
});
