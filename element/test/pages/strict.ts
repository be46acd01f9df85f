import '../../src/index.ts';
import { answer, cell, dimension, metric } from '../answers.ts';
import { frames, rest } from '../frames.ts';

/** The violations of this page's policy. */
const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
  violations.push(`${violatedDirective}: ${sample}`);
});
addEventListener('error', ({ message }) => violations.push(message));
addEventListener('unhandledrejection', ({ reason }) => violations.push(String(reason)));

const body = answer(
  [dimension('r', 'Region'), dimension('y', 'Year'), metric('m', 'Net sales')],
  [
    { r: 'North', y: '2025', m: cell(3, '3') },
    { r: 'South', y: '2025', m: cell(5, '5') },
  ],
);
globalThis.fetch = () => Promise.resolve(new Response(JSON.stringify(body)));

const views: string[] = [];
const element = document.createElement('service-embed');
Object.assign(element, { server: location.origin, path: 'shared/x.service', render: 'chart', mode: 'bar' });
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    element.addEventListener(
      'service-render',
      ({ detail }) => {
        views.push(detail.view);
        resolve();
      },
      { once: true },
    );
  });

const first = painted();
document.body.append(element);
await first;
for (const next of [{ mode: 'pie' }, { render: 'table' }, { render: 'matrix' }, { render: 'kpi' }]) {
  const then = painted();
  Object.assign(element, next);
  await then;
  if (element.shadowRoot) await rest(element.shadowRoot);
}
// The element leaves the page while a chart is drawn: ECharts would write HTML when the chart is disposed of.
const again = painted();
element.render = 'chart';
await again;
views.pop();
await frames(3);
element.remove();
await frames(1);
parent.postMessage({ violations, views, left: element.shadowRoot?.querySelectorAll('.chart > *').length }, '*');
