import { css, html, LitElement } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { writeQuickStart } from '../code/quick-start-commands.ts';
import { origin, session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import '../code/code-block.ts';

/** Shows three commands that work unchanged, in the order of their use. */
export class QuickStart extends LitElement {
  static override properties = { queryPath: { attribute: false } };
  static override styles = [
    shared,
    css`
      ol { display: grid; gap: 28px; }
      li { display: grid; gap: 10px 40px; }
      .words p { margin-top: 3px; color: var(--muted); font-size: 14px; text-wrap: pretty; }
      @media (min-width: 860px) { li { grid-template-columns: 264px minmax(0, 1fr); } .words { padding-top: 10px; } }
    `,
  ];

  /** Path of a saved query on this server. */
  declare queryPath: string | undefined;

  constructor() {
    super();
    this.queryPath = undefined;
    new SessionController(this, session);
  }

  protected override render() {
    const commands = writeQuickStart({ origin, user: session.user?.name ?? 'admin', queryPath: this.queryPath });
    return html`
      <div class="section-head">
        <div>
          <h2>${msg('Quick start')}</h2>
          <p>${msg(html`Three commands for a terminal with <code>curl</code>. The <a href=${withBasePath('/ui/api/')}>API reference</a> has every operation with its schemas.`)}</p>
        </div>
      </div>
      <ol>${commands.map(
        ({ title, note, text }) => html`
          <li>
            <div class="words"><h3>${title}</h3><p>${note}</p></div>
            <ui-code caption=${msg('Terminal')} .of=${title} .text=${text}></ui-code>
          </li>`,
      )}</ol>
    `;
  }
}

customElements.define('ui-quick-start', QuickStart);
