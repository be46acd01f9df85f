import { css, html, LitElement } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { requestShare } from '../documents/share-request.ts';
import { origin, session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { alertIcon, shareIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import '../code/copy-button.ts';

/** Shows the product's purpose, the server's address and the next steps. */
export class Hero extends LitElement {
  static override properties = { demo: { type: Boolean }, alarm: {} };
  static override styles = [
    shared,
    css`
      h1 { margin: 0; font-size: clamp(30px, 4.1vw, 48px); font-weight: 680; line-height: 1.1; letter-spacing: -0.034em; text-wrap: balance; }
      h1 span { display: block; }
      .row { display: grid; gap: 28px clamp(32px, 6vw, 88px); margin-top: clamp(24px, 3.4vw, 36px); align-items: start; }
      @media (min-width: 860px) { .row { grid-template-columns: minmax(0, auto) minmax(0, 1fr); } }
      .address { display: grid; justify-items: start; gap: 10px; }
      .address > p:first-child, .next > h2 { color: var(--muted); font-size: 13px; font-weight: 500; letter-spacing: 0; }
      .origin {
        display: flex; align-items: center; gap: 8px; max-width: 100%; padding: 6px 6px 6px 14px; border: 1px solid var(--line); border-radius: 10px;
        background: var(--paper);
      }
      .origin code { overflow-wrap: anywhere; font-size: 15px; }
      .next { display: grid; gap: 12px; }
      ol { display: grid; gap: 8px; }
      li { display: grid; grid-template-columns: 24px minmax(0, 1fr); gap: 10px; max-width: 76ch; }
      .step {
        display: grid; place-items: center; width: 24px; height: 24px; border-radius: 50%; background: var(--accent-wash); color: var(--accent);
        font-size: 13px; font-weight: 650; font-variant-numeric: tabular-nums;
      }
      .alarm {
        display: flex; align-items: center; gap: 10px; margin-bottom: 28px; padding: 12px 16px; border: 1px solid var(--bad); border-radius: 10px;
        background: var(--bad-wash); color: var(--ink);
      }
      .alarm svg { flex: none; width: 20px; height: 20px; color: var(--bad); }
      .alarm a { color: inherit; font-weight: 600; }
    `,
  ];

  /** Whether the gallery has embeds. */
  declare demo: boolean;
  /** A problem for an administrator; empty for none. */
  declare alarm: string;

  constructor() {
    super();
    this.demo = false;
    this.alarm = '';
    new SessionController(this, session);
  }

  #share(): void {
    requestShare(this);
  }

  protected override render() {
    return html`
      ${this.alarm === '' ? '' : html`<p class="alarm" role="status">${alertIcon}<span>${this.alarm} <a href="#datasources">See the datasources</a></span></p>`}
      <h1><span>Build charts from your database. </span><span>Put them into any web page.</span></h1>
      <div class="row">
        <div class="address">
          <p>This server</p>
          <p class="origin"><code>${origin}</code><ui-copy quiet .text=${origin} label=" the address of this server"></ui-copy></p>
          ${session.user ? html`<button class="button primary" type="button" @click=${this.#share}>${shareIcon}Share a document</button>` : ''}
        </div>
        <div class="next">
          <h2>What to do next</h2>
          <ol>
            <li><span class="step" aria-hidden="true">1</span><span>${
              this.demo
                ? html`Copy the HTML of a <a href="#gallery">live embed</a> into your own page, and open that page.`
                : html`<a href=${withBasePath('/ui/add-data/')}>Add your own data</a>, or start the server with <code>--demo</code> to see <a href="#gallery">live embeds</a>.`
            }</span></li>
            <li><span class="step" aria-hidden="true">2</span><span>Run the <a href="#quick-start">three commands</a> in a terminal. The <a href=${withBasePath('/ui/api/')}>API reference</a> lists all others.</span></li>
          </ol>
        </div>
      </div>
    `;
  }
}

customElements.define('ui-hero', Hero);
