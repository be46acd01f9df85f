import { css, html, LitElement, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Client } from '../api-client/client.ts';
import { readBoolean, readObject } from '../api-client/json.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { origin, session } from '../shell/page-context.ts';
import { accountName, SessionController } from '../shell/session.ts';
import { requestSignIn } from '../shell/sign-in-request.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import type { Exhibit } from './showcase.ts';
import '../code/code-block.ts';

const SWITCH_ON = `# in service.properties
service.ai.ask.provider = anthropic

# in the environment of the server
ANTHROPIC_API_KEY=…`;

/** Shows an ask box live. It has no public grant and uses the session of the signed-in user. */
export class AskExhibit extends LitElement {
  static override properties = { exhibit: { attribute: false } };
  static override styles = [
    shared,
    css`
      :host { display: grid; align-content: start; gap: 14px; }
      service-embed { min-width: 0; }
      .bone { height: 260px; }
      .notice { padding: clamp(20px, 4vw, 36px); background: var(--paper); }
      .notice p { max-width: 64ch; text-wrap: pretty; }
      .switch { display: grid; gap: 10px; }
      .switch p { color: var(--muted); font-size: 14px; text-wrap: pretty; }
    `,
  ];

  declare exhibit: Exhibit | undefined;
  readonly #configured = new RemoteData<boolean>(this);

  constructor() {
    super();
    this.exhibit = undefined;
    new SessionController(this, session, () => void this.#read());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
  }

  async #read(): Promise<void> {
    if (session.user) await this.#configured.read((signal) => readAskHealth(session.client, signal));
  }

  #signIn(): void {
    requestSignIn(this);
  }

  #switchOn() {
    const { state } = this.#configured;
    if (state.status !== 'ready' || state.value) return nothing;
    return html`<div class="switch">
      <p>${msg(html`This server has no language model, so the ask box is closed. Set these two values and restart the server. For a proxy or a local model, also set <code>service.ai.ask.endpoint</code>.`)}</p>
      <ui-code foldable caption=${msg('settings')} .of=${msg('the ask box')} .text=${SWITCH_ON}></ui-code>
    </div>`;
  }

  protected override render() {
    const { exhibit } = this;
    const { user } = session;
    if (exhibit === undefined) return nothing;
    if (user === undefined) return html`<div class="bone"></div>`;
    if (user === null)
      return html`<div class="notice">
        <h3>${msg('Sign in to ask questions')}</h3>
        <p>${msg('Every question costs part of your tenant’s budget. On this page the ask box uses your session; on other pages it needs a token.')}</p>
        <button class="button primary" type="button" @click=${this.#signIn}>${msg('Open the ask box')}</button>
      </div>`;
    return html`${keyed(
      accountName(user),
      html`<service-embed server=${origin} path=${exhibit.path} kind="ai" height=${exhibit.height || nothing} token="session"></service-embed>`,
    )}${this.#switchOn()}`;
  }
}

function readAskHealth(client: Client, signal: AbortSignal): Promise<boolean> {
  return client.get(
    '/rest/service/api/ai/semantic/ask/health',
    (json) => readBoolean(readObject(json, 'whether questions can be asked'), 'configured'),
    signal,
  );
}

customElements.define('ui-ask-exhibit', AskExhibit);
