import { html, nothing, type TemplateResult } from 'lit';

/** What every failed read says, whatever went wrong: the reason would help a stranger to probe for resources. */
export const UNAVAILABLE = 'This embed is not available.';

export function notice(title: string, detail = ''): TemplateResult {
  return html`<div class="notice" part="notice">${title ? html`<p class="notice-title">${title}</p>` : nothing}${
    detail ? html`<p>${detail}</p>` : nothing
  }</div>`;
}

export function empty(): TemplateResult {
  return notice('No data', 'The query ran and returned no rows.');
}

export function failure(message: string): TemplateResult {
  return html`<div class="notice failure" part="error" role="alert"><p class="notice-title">${message}</p></div>`;
}

export function tableSkeleton(): TemplateResult {
  return skeleton(
    'table',
    html`${[92, 64, 78, 56, 84, 70, 60, 80].map((width) => html`<i .style=${`width:${width}%`}></i>`)}`,
  );
}

export function chartSkeleton(): TemplateResult {
  return skeleton(
    'bars',
    html`${[55, 80, 40, 95, 65, 30, 72, 48].map((height) => html`<i .style=${`height:${height}%`}></i>`)}`,
  );
}

export function kpiSkeleton(): TemplateResult {
  return skeleton('single', html`<i></i>`);
}

export function dashboardSkeleton(): TemplateResult {
  return skeleton('tiles', html`${[0, 1, 2, 3, 4].map(() => html`<i></i>`)}`);
}

function skeleton(shape: string, bones: TemplateResult): TemplateResult {
  return html`<div class="skeleton ${shape}" part="skeleton"><span class="unseen" role="status">Loading…</span>${bones}</div>`;
}
