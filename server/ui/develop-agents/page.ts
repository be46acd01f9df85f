import { css, html, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import type { Client } from '../api-client/client.ts';
import { PAGES } from '../pages.ts';
import { formatWhen } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import { remoteView } from '../parts/remote-view.ts';
import { origin, session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { type ConnectedAgent, type ConnectedAgents, disconnectAgent, readAgents } from './requests.ts';
import { agentSnippets } from './snippets.ts';
import '../code/code-block.ts';
import '../parts/form-dialog.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

/** Shows how an agent gets the tools of this server over the Model Context Protocol, and lists the connected agents. */
export class DevelopAgents extends ListPage<ConnectedAgents> {
  static override styles = [
    shared,
    formStyles,
    listStyles,
    css`
      .steps { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; max-width: var(--width); }
      .clients { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; margin-top: 12px; }
      h3 { margin-bottom: 8px; }
      p { max-width: 68ch; }
      .steps > li > p { margin-top: 4px; color: var(--muted); }
      .address { margin-top: 12px; }
      .connected { max-width: var(--width); margin-bottom: 32px; }
    `,
  ];

  protected override load(client: Client, signal: AbortSignal) {
    return readAgents(client, session.user?.administrator === true, signal);
  }

  protected override get isAnswered(): boolean {
    return session.user !== undefined && session.user !== null;
  }

  #disconnect({ id, agent }: ConnectedAgent): void {
    this.ask(
      {
        title: msg(str`Disconnect ${agent}?`),
        note: msg('Its tokens stop at once. It can ask for permission again.'),
        fields: [],
        action: msg('Disconnect'),
        isDanger: true,
        submit: () => disconnectAgent(session.client, id),
      },
      msg(str`${agent} is disconnected.`),
    );
  }

  #row(connected: ConnectedAgent) {
    const { agent, user, scopes, createdAt, lastUsedAt } = connected;
    return html`<li class="row">
      <span class="name">${agent}</span>
      <span class="about">${scopes.map((scope) => html`<span class="tag">${scope === 'documents' ? msg('Read and write documents') : msg('Ask data')}</span>`)}<br />
        ${msg(str`last used ${formatWhen(lastUsedAt)}`)} · ${msg(str`connected ${formatWhen(createdAt)}`)}${user === session.user?.name ? nothing : html` · ${msg(str`allowed by ${user}`)}`}</span>
      <span class="end"><button class="button small" type="button" @click=${() => this.#disconnect(connected)}>${msg('Disconnect')}<span class="visually-hidden"> ${agent}</span></button></span>
    </li>`;
  }

  /** Agents with keys are in the list of keys, so this list is shown only where agents sign in. */
  #connected({ signIn, agents }: ConnectedAgents) {
    if (signIn !== 'here') return nothing;
    return html`<section class="connected" aria-labelledby="connected"><div class="section-head"><h2 id="connected">${msg('Connected agents')}</h2></div>
      ${
        agents.length === 0
          ? html`<div class="rows"><p class="none">${msg('No agent is connected. Add the address below to an agent with a browser: it leads you here, and you allow it.')}</p></div>`
          : html`<ul class="rows">${agents.map((agent) => this.#row(agent))}</ul>`
      }</section>`;
  }

  get #signIn(): ConnectedAgents['signIn'] | undefined {
    const { state } = this.data;
    return state.status === 'ready' ? state.value.signIn : undefined;
  }

  protected override render() {
    const isAdministrator = session.user?.administrator === true;
    const address = `${origin}/rest/service/api/mcp`;
    return html`
      <ui-page-head heading=${msg('Agents')}>
        <span slot="note">${msg('An agent describes and queries your models by tools. It writes no SQL, and sees what its key may see.')}</span>
      </ui-page-head>
      <ui-section-links current="develop-agents"></ui-section-links>
      ${
        this.isAnswered
          ? remoteView(
              this.data.state,
              (connected) => this.#connected(connected),
              () => void this.read(),
            )
          : nothing
      }
      <ol class="steps">
        <li><h2>${msg('1. A key')}</h2>
          ${
            this.#signIn === 'here' || this.#signIn === 'provider'
              ? html`<p>${msg('An agent that can open a browser needs no key: give it the address alone, and sign in when it asks. All others, such as programs, get a key.')}</p>`
              : nothing
          }
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
      <ui-form-dialog></ui-form-dialog>
    `;
  }
}

customElements.define('ui-develop-agents', DevelopAgents);
