import '../../src/index.ts';
import { answer, cell, dimension, metric } from '../answers.ts';

/** What the policy of this page refused. */
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
  await new Promise((resolve) => setTimeout(resolve, 200));
}
// Away from the page while a chart is drawn: letting go of it is where ECharts would write HTML.
const again = painted();
element.render = 'chart';
await again;
views.pop();
await new Promise((resolve) => setTimeout(resolve, 200));
element.remove();
parent.postMessage({ violations, views, left: element.shadowRoot?.querySelectorAll('.chart > *').length }, '*');
