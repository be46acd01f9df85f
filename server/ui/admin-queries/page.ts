import { css, html, nothing } from 'lit';
import type { Client } from '../api-client/client.ts';
import { formatDuration, formatWhen } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { formStyles } from '../styles/form-styles.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { cancelQuery, type Queries, type RunningQuery, readQueries, type SlowQuery } from './requests.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

/** The interval in which the page reads again while it is visible, in milliseconds. */
const REFRESH_MS = 3_000;

/** Lists the queries that run, with a cancel, and the slow ones with their plans. */
export class AdminQueries extends ListPage<Queries> {
  static override styles = [
    shared,
    formStyles,
    listStyles,
    css`
      .row { --columns: minmax(0, 1fr) auto; align-items: start; }
      .facts { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; color: var(--muted); }
      .facts strong { color: var(--ink); font-variant-numeric: tabular-nums; }
      pre { max-height: 320px; overflow: auto; margin-top: 8px; padding: 12px; border-radius: 6px; background: var(--sunken); font: 12px / 1.5 var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
      pre.plan { white-space: pre; overflow-wrap: normal; }
      summary { width: fit-content; margin-top: 4px; padding: 4px 0; color: var(--accent); cursor: pointer; }
      summary code { color: var(--ink); }
      h3 { margin-top: 12px; font-size: 13px; }
    `,
  ];

  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !this.data.isBusy) void this.read();
    }, REFRESH_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override load(client: Client, signal: AbortSignal) {
    return readQueries(client, signal);
  }

  #facts(query: RunningQuery) {
    const { user, viewer, operation, warehouse } = query;
    return html`<span title=${user}>${user === '' ? msg('the service itself') : nameOfUser(query)}${viewer === '' ? '' : ` ${msg(str`for ${viewer}`)}`}</span>
      ${operation === '' ? nothing : html`<code>${operation}</code>`}<span>${warehouse}</span>`;
  }

  #running(query: RunningQuery) {
    const { id, sql, durationMs } = query;
    return html`<li class="row">
      <div>
        <p class="facts"><strong>${formatDuration(durationMs)}</strong>${this.#facts(query)}</p>
        <details><summary><code>${firstLine(sql)}</code></summary><pre tabindex="0" role="region" aria-label="SQL">${sql}</pre></details>
      </div>
      <span class="end"><button class="button small" type="button" @click=${() => void this.change((client) => cancelQuery(client, id), msg('The query is asked to stop.'))}>${msg('Cancel')}<span class="visually-hidden"> ${msg(str`the query of ${nameOfUser(query)}`)}</span></button></span>
    </li>`;
  }

  #slow(query: SlowQuery) {
    const { sql, durationMs, startedAt, outcome, plan } = query;
    return html`<li class="row">
      <div>
        <p class="facts"><strong>${formatDuration(durationMs)}</strong><span>${formatWhen(startedAt)}</span>${this.#facts(query)}
          ${outcome === 'OK' ? nothing : html`<span class="tag bad">${outcome}</span>`}</p>
        <details><summary><code>${firstLine(sql)}</code></summary>
          <h3>SQL</h3><pre tabindex="0" role="region" aria-label="SQL">${sql}</pre>
          <h3>${msg('Plan of the warehouse')}</h3>
          ${plan === undefined ? html`<p class="muted">${msg('The warehouse gave no plan.')}</p>` : html`<pre class="plan" tabindex="0" role="region" aria-label=${msg('Plan of the warehouse')}>${plan}</pre>`}
        </details>
      </div>
    </li>`;
  }

  #lists({ running, slow }: Queries) {
    return html`<div class="sections">
      <section aria-labelledby="running"><div class="section-head"><h2 id="running">${msg('Running')}</h2></div>
        ${running.length === 0 ? html`<div class="rows"><p class="none">${msg('No query runs for longer than a second.')}</p></div>` : html`<ul class="rows">${running.map((each) => this.#running(each))}</ul>`}
      </section>
      <section aria-labelledby="slow"><div class="section-head"><h2 id="slow">${msg('Slow')}</h2></div>
        ${slow.length === 0 ? html`<div class="rows"><p class="none">${msg('No query was slow in the last seven days.')}</p></div>` : html`<ul class="rows">${slow.map((each) => this.#slow(each))}</ul>`}
      </section>
    </div>`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Queries')}>
        <span slot="note">${msg('What runs in the warehouses now, and what took long, on all nodes.')}</span>
      </ui-page-head>
      <ui-section-links current="admin-queries"></ui-section-links>
      ${guardedView('administrators', () =>
        remoteView(
          this.data.state,
          (queries) => this.#lists(queries),
          () => void this.read(),
        ),
      )}
    `;
  }
}

function nameOfUser({ user, userLabel }: RunningQuery): string {
  return userLabel === '' ? user : msg(str`${userLabel} (API key)`);
}

const MAX_SUMMARY = 100;

function firstLine(sql: string): string {
  const line = sql.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY)}…` : line;
}

customElements.define('ui-admin-queries', AdminQueries);
