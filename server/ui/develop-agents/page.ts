import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { PAGES } from '../pages.ts';
import { origin, session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { agentSnippets } from './snippets.ts';
import '../code/code-block.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

/** Shows how an agent gets the tools of this server over the Model Context Protocol. */
export class DevelopAgents extends LitElement {
  static override styles = [
    shared,
    listStyles,
    css`
      .steps { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; max-width: var(--width); }
      .clients { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; margin-top: 12px; }
      h3 { margin-bottom: 8px; }
      p { max-width: 68ch; }
      .steps > li > p { margin-top: 4px; color: var(--muted); }
      .address { margin-top: 12px; }
    `,
  ];

  constructor() {
    super();
    new SessionController(this, session);
  }

  protected override render() {
    const isAdministrator = session.user?.administrator === true;
    const address = `${origin}/rest/service/api/mcp`;
    return html`
      <ui-page-head heading=${msg('Agents')}>
        <span slot="note">${msg('An agent describes and queries your models by tools. It writes no SQL, and sees what its key may see.')}</span>
      </ui-page-head>
      <ui-section-links current="develop-agents"></ui-section-links>
      <ol class="steps">
        <li><h2>${msg('1. A key')}</h2>
          <p>${msg('Give the agent a key of its own, with the roles that it needs and the scope to ask data. Put it into the variable API_KEY.')}
            ${isAdministrator ? html`<a href=${withBasePath(PAGES['develop-keys'].path)}>${msg('Create a key')}</a>` : html`${msg('An administrator makes it.')}`}</p></li>
        <li><h2>${msg('2. The address')}</h2>
          <p>${msg('Streamable HTTP. An agent elsewhere needs a name of this server in service.http.allowedHosts.')}</p>
          <ui-code class="address" caption="MCP" .of=${msg('the agent tools')} .text=${address}></ui-code></li>
        <li><h2>${msg('3. The client')}</h2>
          <div class="clients">${agentSnippets(origin).map(
            ({ client, caption, text }) =>
              html`<section aria-label=${client}><h3>${client}</h3><ui-code caption=${caption} .of=${client} .text=${text}></ui-code></section>`,
          )}</div></li>
        <li><h2>${msg('4. The first question')}</h2>
          <p>${msg(str`Ask the agent “Which models are there, and what can I ask them?”. Its calls are in the audit log under the key.`)}
            ${isAdministrator ? html`<a href=${withBasePath(PAGES['admin-audit'].path)}>${msg('Audit log')}</a>` : nothing}</p></li>
      </ol>
    `;
  }
}

customElements.define('ui-develop-agents', DevelopAgents);
