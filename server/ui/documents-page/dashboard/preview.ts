import { css, html, LitElement, nothing } from 'lit';
import { closeIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { msg } from '../../words/words.ts';
import type { Dashboard } from './draft.ts';
import './grid.ts';

const WIDTHS = [390, 820, 1280] as const;

/** Shows an unsaved dashboard at three widths and in both themes. It is in the page's own tree, where the tokens of a theme apply. */
export class DashboardPreview extends LitElement {
  static override properties = { dashboard: { state: true }, width: { state: true } };
  static override styles = [
    shared,
    css`
      dialog { width: calc(100vw - 32px); max-width: none; height: calc(100dvh - 32px); max-height: none; padding: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--canvas); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body); }
      dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 12px 16px; border-bottom: 1px solid var(--line); background: var(--paper); }
      .bar h2 { flex: 1; }
      .group { display: flex; gap: 4px; }
      .button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent-strong); }
      .page { overflow: auto; padding: 24px 16px; }
      ui-dashboard-grid { max-width: 100%; margin-inline: auto; }
    `,
  ];

  declare dashboard: Dashboard | undefined;
  declare width: (typeof WIDTHS)[number];

  constructor() {
    super();
    this.dashboard = undefined;
    this.width = 1280;
  }

  async open(dashboard: Dashboard): Promise<void> {
    this.dashboard = dashboard;
    this.#setTheme(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
    await this.updateComplete;
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  #setTheme(theme: 'light' | 'dark'): void {
    this.dataset.theme = theme;
    this.requestUpdate();
  }

  #close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  #closed(): void {
    this.dashboard = undefined;
  }

  protected override render() {
    const theme = this.dataset.theme === 'dark' ? 'dark' : 'light';
    return html`<dialog aria-labelledby="title" @close=${this.#closed}>
      <div class="bar">
        <h2 id="title">${msg('Preview')}</h2>
        <div class="group" role="group" aria-label=${msg('Width')}>${WIDTHS.map(
          (width) =>
            html`<button class="button" type="button" aria-pressed=${width === this.width} @click=${() => {
              this.width = width;
            }}>${width}</button>`,
        )}</div>
        <div class="group" role="group" aria-label=${msg('Theme')}>
          <button class="button" type="button" aria-pressed=${theme === 'light'} @click=${() => this.#setTheme('light')}>${msg('Light')}</button>
          <button class="button" type="button" aria-pressed=${theme === 'dark'} @click=${() => this.#setTheme('dark')}>${msg('Dark')}</button>
        </div>
        <button class="button" type="button" aria-label=${msg('Close')} @click=${this.#close}>${closeIcon}</button>
      </div>
      <div class="page" tabindex="0" role="region" aria-label=${msg('Preview')}>${
        this.dashboard === undefined
          ? nothing
          : html`<ui-dashboard-grid .dashboard=${this.dashboard} theme=${theme} .style=${`width:${this.width}px`}></ui-dashboard-grid>`
      }</div>
    </dialog>`;
  }
}

customElements.define('ui-dashboard-preview', DashboardPreview);

let preview: DashboardPreview | undefined;

/** Opens the preview of a dashboard over the page. */
export function previewDashboard(dashboard: Dashboard): void {
  if (preview === undefined) {
    preview = new DashboardPreview();
    document.body.append(preview);
  }
  void preview.open(dashboard);
}
