import { css, html, nothing, type TemplateResult } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import type { Client } from '../api-client/client.ts';
import { PAGES } from '../pages.ts';
import { formatWhen } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { formStyles } from '../styles/form-styles.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import {
  clearCache,
  type ProcessState,
  type PurposeSpend,
  readSystem,
  type System,
  type SystemState,
} from './requests.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

const STATUS: Readonly<
  Record<SystemState['status'], { readonly title: string; readonly tone: string; readonly note: string }>
> = {
  OK: { title: msg('Everything works'), tone: 'good', note: '' },
  DEGRADED: { title: msg('Some data is not served'), tone: 'warn', note: msg('The page Data shows which, and why.') },
  NOT_READY: { title: msg('Something is missing'), tone: 'bad', note: '' },
};

const JOB_TITLES: Readonly<Record<string, string>> = {
  PENDING: msg('waiting'),
  RUNNING: msg('running'),
  DONE: msg('done'),
  FAILED: msg('failed'),
  CANCELLED: msg('cancelled'),
};

const PURPOSE_TITLES: Readonly<Record<PurposeSpend['purpose'], string>> = {
  ask: msg('Questions in words'),
  propose: msg('Proposals of models'),
};

const number = new Intl.NumberFormat(language);
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
const dollars = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
  minimumFractionDigits: 2,
});

/** Shows the health of the service, its cache, and what language models have cost. */
export class AdminSystem extends ListPage<System> {
  static override styles = [
    shared,
    formStyles,
    listStyles,
    css`
      .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr)); gap: 12px; }
      .card { padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      dt { color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 600; }
      dd { margin: 4px 0 0; font-size: 20px; line-height: 28px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      dd small { display: block; color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 400; }
      .status { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      .status .tag { font-size: 14px; line-height: 24px; padding-inline: 12px; }
      caption { padding: 12px 12px 4px; font-weight: 600; text-align: start; }
      .scroll + .scroll { margin-top: 12px; }
    `,
  ];

  protected override load(client: Client, signal: AbortSignal) {
    return readSystem(client, signal);
  }

  #status({ status, missing, version, startedAt }: SystemState) {
    const { title, tone, note } = STATUS[status];
    return html`<p class="status"><span class="tag ${tone}">${title}</span>
      ${missing.length === 0 ? nothing : html`<span>${missing.join(', ')}</span>`}
      ${note === '' ? nothing : html`<span>${note} <a href=${withBasePath(PAGES.data.path)}>${msg('Data')}</a></span>`}
      <span class="muted">${msg(str`Version ${version}, started ${formatWhen(startedAt)}`)}</span></p>`;
  }

  #process({ node, residentBytes, freeDiskBytes, state, languageModel }: ProcessState) {
    return html`<section aria-labelledby="process"><div class="section-head"><h2 id="process">${msg('This node')}</h2></div><dl class="cards">
      ${card(msg('Memory'), bytesText(residentBytes))}
      ${card(msg('Free on the disk'), bytesText(freeDiskBytes))}
      ${card(msg('State'), state === 'sqlite' ? 'SQLite' : 'PostgreSQL')}
      ${card('Node', node)}
      ${card(msg('Language model'), languageModel ?? msg('none'), languageModel === undefined ? msg('service.ai.ask.provider switches it on') : '')}
    </dl></section>`;
  }

  #cache({ cache }: ProcessState) {
    const { hits, misses, bytes, entries, maxBytes } = cache;
    const all = hits + misses;
    return html`<dl class="cards">
      ${card(msg('Answered from the cache'), all === 0 ? '–' : percent.format(hits / all), msg(str`${number.format(hits)} of ${number.format(all)} since the start`))}
      ${card(msg('Kept answers'), number.format(entries), msg(str`${bytesText(bytes)} of ${bytesText(maxBytes)}`))}
    </dl>`;
  }

  #jobs({ jobs }: SystemState) {
    const states = Object.entries(jobs);
    return html`<section aria-labelledby="jobs"><div class="section-head"><h2 id="jobs">${msg('Asynchronous queries')}</h2></div>
      ${states.length === 0 ? html`<div class="rows"><p class="none">${msg('None.')}</p></div>` : html`<dl class="cards">${states.map(([name, count]) => card(JOB_TITLES[name] ?? name, number.format(count)))}</dl>`}</section>`;
  }

  #spend(spend: readonly PurposeSpend[]) {
    return html`<section aria-labelledby="spend"><div class="section-head"><div><h2 id="spend">${msg('Spend on language models')}</h2>
      <p>${msg('Estimated by the price list, in US dollars. Periods are in UTC.')}</p></div></div>
      ${spend.map(({ purpose, period, budgetUsd, periods }) => {
        const budget =
          budgetUsd === undefined
            ? msg('no limit')
            : period === 'day'
              ? msg(str`at most ${dollars.format(budgetUsd)} a day`)
              : msg(str`at most ${dollars.format(budgetUsd)} a month`);
        return html`<div class="scroll" tabindex="0" role="region" aria-label=${PURPOSE_TITLES[purpose]}><table>
          <caption>${PURPOSE_TITLES[purpose]} <span class="muted">· ${budget}</span></caption>
          ${
            periods.length === 0
              ? html`<tbody><tr><td class="muted">${msg('Nothing was spent.')}</td></tr></tbody>`
              : html`<thead><tr><th scope="col">${msg('Period')}</th><th scope="col" class="number">${msg('Spent')}</th><th scope="col" class="number">${msg('Calls')}</th>
                  <th scope="col" class="number">${msg('Tokens read')}</th><th scope="col" class="number">${msg('Tokens written')}</th></tr></thead>
                <tbody>${periods.map(
                  (each) =>
                    html`<tr><th scope="row">${each.period}</th><td class="number">${dollars.format(each.spentUsd)}</td><td class="number">${number.format(each.calls)}</td>
                      <td class="number">${number.format(each.inputTokens)}</td><td class="number">${number.format(each.outputTokens)}</td></tr>`,
                )}</tbody>`
          }
        </table></div>`;
      })}</section>`;
  }

  #clear(): void {
    void this.change(clearCache, msg('The kept answers are forgotten. The next queries read the warehouses again.'));
  }

  #content({ state, spend }: System) {
    return html`<div class="sections">
      ${this.#status(state)}
      ${state.process === undefined ? nothing : this.#process(state.process)}
      <section aria-labelledby="cache"><div class="section-head"><h2 id="cache">${msg('Cache')}</h2>
        <button class="button small" type="button" @click=${this.#clear}>${msg('Clear the cache')}</button></div>
        ${state.process === undefined ? html`<div class="rows"><p class="none">${msg('Answers of your tenant are kept for a short time.')}</p></div>` : this.#cache(state.process)}
      </section>
      ${this.#jobs(state)}
      ${this.#spend(spend)}
    </div>`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Health')}>
        ${this.isAnswered ? html`<button class="button" type="button" aria-disabled=${this.data.isBusy} @click=${() => void this.read()}>${msg('Refresh')}</button>` : nothing}
      </ui-page-head>
      <ui-section-links current="admin-system"></ui-section-links>
      ${guardedView('administrators', () =>
        remoteView(
          this.data.state,
          (system) => this.#content(system),
          () => void this.read(),
        ),
      )}
    `;
  }
}

function card(title: string, figure: string, note = ''): TemplateResult {
  return html`<div class="card"><dt>${title}</dt><dd>${figure}${note === '' ? nothing : html`<small>${note}</small>`}</dd></div>`;
}

function bytesText(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? (['gigabyte', 1e9] as const) : (['megabyte', 1e6] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / size);
}

customElements.define('ui-admin-system', AdminSystem);
