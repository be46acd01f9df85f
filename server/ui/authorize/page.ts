import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { signInAddress } from '../shell/return-address.ts';
import { accountName, SessionController, type User } from '../shell/session.ts';
import { alertIcon, doneIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import { type AgentRequest, answerRequest, describeRequest } from './requests.ts';

/** Asks a user whether an agent may call in the user's name, and sends the browser back to the agent with the answer. */
export class AuthorizePage extends LitElement {
  static override properties = { step: { state: true }, problem: { state: true } };
  static override styles = [
    shared,
    css`
      :host { display: grid; justify-items: center; padding: clamp(16px, 6vh, 64px) var(--gutter) 48px; font: 14px / 20px var(--body); }
      .card { display: grid; gap: 20px; width: min(520px, 100%); padding: clamp(20px, 5vw, 32px); border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      h1 { margin: 0; font-size: 24px; line-height: 1.25; font-weight: 600; letter-spacing: -0.02em; overflow-wrap: anywhere; text-wrap: balance; }
      h1 + p { margin-top: 8px; color: var(--muted); overflow-wrap: anywhere; }
      dl { display: grid; border: 1px solid var(--line); border-radius: 8px; }
      dl > div { display: grid; grid-template-columns: 132px minmax(0, 1fr); gap: 4px 16px; padding: 12px 16px; }
      dl > div + div { border-top: 1px solid var(--line); }
      dt { color: var(--muted); }
      dd { overflow-wrap: anywhere; }
      dd strong { font-weight: 600; }
      li { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 8px; }
      li + li { margin-top: 6px; }
      li svg { width: 16px; height: 16px; margin-top: 2px; color: var(--good); }
      .warning { display: grid; grid-template-columns: 18px minmax(0, 1fr); gap: 10px; padding: 12px 14px; border-radius: 8px; background: var(--warn-wash); }
      .warning svg { width: 18px; height: 18px; margin-top: 1px; color: var(--warn); }
      .problem { color: var(--bad); font-weight: 500; }
      .acts { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
      .acts > :only-child { grid-column: 1 / -1; }
      .acts .button { min-height: 44px; white-space: normal; }
      .bone { height: 320px; }
      @media (max-width: 480px) { dl > div { grid-template-columns: minmax(0, 1fr); } }
      @media (forced-colors: active) { .card, dl, .warning { border: 1px solid CanvasText; } }
    `,
  ];

  /** Where the user is: before the answer, while it is sent, or after it. */
  declare step: 'asked' | 'sending' | 'answered';
  declare problem: string;
  readonly #request = new RemoteData<AgentRequest>(this);
  #account = '';

  constructor() {
    super();
    this.step = 'asked';
    this.problem = '';
    new SessionController(this, session, () => this.#sessionChanged());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sessionChanged();
  }

  #sessionChanged(): void {
    const account = session.user ? accountName(session.user) : '';
    if (account === this.#account) return;
    this.#account = account;
    if (account !== '') void this.#request.read((signal) => describeRequest(session.client, location.search, signal));
  }

  async #answer(allow: boolean): Promise<void> {
    if (this.step !== 'asked') return;
    this.step = 'sending';
    this.problem = '';
    try {
      const next = await answerRequest(session.client, location.search, allow);
      location.assign(next);
      // An app opens beside the browser, and this page stays.
      this.step = 'answered';
    } catch (error) {
      session.reportFailure(error);
      this.problem = error instanceof Error ? error.message : msg('Something went wrong. Try again.');
      this.step = 'asked';
    }
  }

  protected override render() {
    const { user } = session;
    if (user === undefined) return waiting();
    if (user === null) return signInFirst();
    const { state } = this.#request;
    if (state.status === 'loading') return waiting();
    if (state.status === 'failed') return failed(state.message);
    if (this.step === 'answered') return answered(state.value);
    return state.value.refusal === '' ? this.#question(state.value, user) : this.#wrongRequest(state.value);
  }

  #question({ agent, receiver, scopes }: AgentRequest, user: User) {
    return html`<section class="card" aria-labelledby="title">
      <div><h1 id="title">${msg(str`Connect ${agent}?`)}</h1>
        <p>${msg(str`It will call this server as ${accountName(user)}. It sees what you see, and nothing else.`)}</p></div>
      <dl>
        <div><dt>${msg('It may')}</dt><dd><ul>${scopes.map((scope) => html`<li>${doneIcon}<span>${scopeWords(scope)}</span></li>`)}</ul></dd></div>
        <div><dt>${msg('Permission goes to')}</dt><dd>${receiverWords(receiver)}</dd></div>
        <div><dt>${msg('It ends')}</dt><dd>${msg('when you disconnect it under Develop, Agents, or when it has not called for 30 days')}</dd></div>
      </dl>
      <p class="warning">${alertIcon}<span>${msg('The agent gave itself this name. Allow it only if you have just connected it yourself.')}</span></p>
      ${this.#problem()}
      <div class="acts">
        <button class="button" type="button" aria-disabled=${this.step === 'sending'} @click=${() => this.#answer(false)}>${msg('Refuse')}</button>
        <button class="button primary" type="button" aria-disabled=${this.step === 'sending'} @click=${() => this.#answer(true)}>${msg('Allow')}</button>
      </div>
    </section>`;
  }

  #wrongRequest({ agent, refusal }: AgentRequest) {
    return html`<section class="card" aria-labelledby="title">
      <div><h1 id="title">${msg(str`${agent} cannot be connected`)}</h1>
        <p>${msg('Its request is wrong. The agent gets this message, too:')}</p></div>
      <p role="alert">${inWords(refusal)}</p>
      ${this.#problem()}
      <div class="acts"><button class="button primary" type="button" aria-disabled=${this.step === 'sending'} @click=${() => this.#answer(false)}>${msg('Back to the agent')}</button></div>
    </section>`;
  }

  #problem() {
    return this.problem === '' ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`;
  }
}

function waiting(): TemplateResult {
  return html`<div class="card bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
}

function signInFirst(): TemplateResult {
  return html`<section class="card" aria-labelledby="title">
    <div><h1 id="title">${msg('Connect an agent')}</h1>
      <p>${msg('An agent asks to call this server in your name. Sign in to see which one, and to allow or refuse it.')}</p></div>
    <div class="acts"><a class="button primary" href=${signInAddress()}>${msg('Sign in')}</a></div>
  </section>`;
}

function failed(message: string): TemplateResult {
  return html`<section class="card" aria-labelledby="title">
    <div><h1 id="title">${msg('This agent cannot be connected')}</h1>
      <p>${msg('Nothing was sent to it.')}</p></div>
    <p role="alert">${inWords(message)}</p>
  </section>`;
}

function answered({ agent }: AgentRequest): TemplateResult {
  return html`<section class="card" aria-labelledby="title">
    <div role="status"><h1 id="title">${msg(str`Back to ${agent}`)}</h1>
      <p>${msg('It has your answer. You can close this page.')}</p></div>
  </section>`;
}

function scopeWords(scope: string): string {
  return scope === 'documents'
    ? msg('read, run and save queries and dashboards, as far as you may')
    : msg('describe and query the models and cubes that you may see');
}

function receiverWords({ kind, name }: AgentRequest['receiver']): TemplateResult {
  switch (kind) {
    case 'site':
      return html`<strong>${name}</strong>`;
    case 'computer':
      return html`${msg('a program on your computer')} (<strong>${name}</strong>)`;
    case 'app':
      return html`${msg('an app on your device')} (<strong>${name}:</strong>)`;
    default: {
      const never: never = kind;
      return never;
    }
  }
}

customElements.define('ui-authorize', AuthorizePage);
