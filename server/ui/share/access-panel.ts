import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import { TTL_HOURS } from './access.ts';
import { form } from './form.ts';
import type { Sharing, SharingState, Way } from './sharing.ts';
import { dateAndTime, fromNow, inDays } from './words.ts';
import '../code/copy-button.ts';
import './confirm-button.ts';

const WAYS: readonly { readonly way: Way; readonly title: string; readonly note: string }[] = [
  {
    way: 'token',
    title: 'With a token',
    note: 'Only pages that have the token. It ends by itself and can be revoked.',
  },
  { way: 'public', title: 'Public', note: 'Any page, without a token, until you end it.' },
];

/** Who may see the document in other pages. Fires `way` when another one is chosen, and `done` with what to announce. */
export class AccessPanel extends LitElement {
  static override properties = {
    sharing: { attribute: false },
    state: { attribute: false },
    way: {},
    hours: { state: true },
    wrong: { state: true },
  };
  static override styles = [
    shared,
    form,
    css`
      .ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 10px; margin-top: 10px; }
      .way {
        display: grid; grid-template-columns: auto minmax(0, 1fr); align-content: start; gap: 3px 10px; padding: 12px 14px; border: 1px solid var(--line);
        border-radius: 10px; background: var(--paper); cursor: pointer;
      }
      .way:hover { border-color: var(--muted); }
      .way:has(:checked) { border-color: var(--accent); background: var(--accent-wash); box-shadow: inset 0 0 0 1px var(--accent); }
      .way:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
      .way input { margin: 3px 0 0; accent-color: var(--accent); outline: none; }
      .way b { font-size: 14px; font-weight: 600; }
      .way span { grid-column: 2; color: var(--muted); font-size: 13px; line-height: 1.45; }
      .way:has(:checked) span { color: var(--ink); }
      form, .public { display: grid; gap: 14px; margin-top: 18px; }
      .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 14px; }
      @media (max-width: 480px) { .pair { grid-template-columns: minmax(0, 1fr); } }
      .button { justify-self: start; }
      .public p { font-size: 14px; max-width: 62ch; text-wrap: pretty; }
      .minted { display: grid; gap: 8px; margin-top: 18px; padding: 14px; border: 1px solid var(--good); border-radius: 10px; background: var(--good-wash); }
      .minted p { font-size: 14px; }
      .once { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 10px; padding: 6px 6px 6px 12px; border-radius: 8px; background: var(--paper); }
      .once code { word-break: break-all; font-size: 13px; user-select: all; }
      .on { display: inline-flex; align-items: center; gap: 8px; font-weight: 600; }
      .on::before { content: ''; width: 8px; height: 8px; border-radius: 50%; background: var(--good); }
    `,
  ];

  declare sharing: Sharing | undefined;
  declare state: SharingState | undefined;
  declare way: Way;
  declare hours: string;
  declare wrong: string;

  constructor() {
    super();
    this.sharing = undefined;
    this.state = undefined;
    this.way = 'token';
    this.hours = String(TTL_HOURS.usual);
    this.wrong = '';
  }

  #choose(way: Way): void {
    this.dispatchEvent(new CustomEvent('way', { detail: way }));
  }

  #done(what: string): void {
    this.dispatchEvent(new CustomEvent('done', { detail: what }));
  }

  #typedHours({ currentTarget }: InputEvent): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    this.hours = currentTarget.value;
    if (this.wrong !== '') this.wrong = wrongHours(this.hours);
  }

  async #mint(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { sharing } = this;
    this.wrong = wrongHours(this.hours);
    if (this.wrong !== '') {
      this.renderRoot.querySelector<HTMLInputElement>('[name=hours]')?.focus();
      return;
    }
    const label = this.renderRoot.querySelector<HTMLInputElement>('[name=label]');
    if (
      sharing === undefined ||
      !(await sharing.mint({ label: label?.value.trim() ?? '', ttlHours: Number(this.hours) }))
    )
      return;
    if (label !== null) label.value = '';
    this.#done('The token is made. It is shown this once.');
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('#minted')?.focus();
  }

  async #publish(): Promise<void> {
    if (!(await this.sharing?.publish())) return;
    this.#done('The document is public.');
    await this.#focusPublic();
  }

  async #endPublic(): Promise<void> {
    if (!(await this.sharing?.endPublic())) return;
    this.#done('The document is not public any more.');
    await this.#focusPublic();
  }

  /** The button that had the focus is gone: the words that tell what is now take it. */
  async #focusPublic(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('#public')?.focus();
  }

  #token(state: SharingState) {
    const busy = state.doing === 'minting';
    const days = inDays(Number(this.hours));
    return html`
      <form novalidate @submit=${this.#mint}>
        <div class="pair">
          <label class="field">
            <span>Label <span class="hint">(optional)</span></span>
            <input class="input" name="label" maxlength="200" autocomplete="off" placeholder="Customer portal" aria-describedby="label-hint" />
            <span class="hint" id="label-hint">For you, to tell tokens apart.</span>
          </label>
          <label class="field">
            <span>Valid for, in hours</span>
            <input class="input" name="hours" type="number" inputmode="numeric" min=${TTL_HOURS.least} max=${TTL_HOURS.most} step="1" required .value=${this.hours}
              aria-invalid=${this.wrong !== ''} aria-describedby="hours-hint hours-wrong" @input=${this.#typedHours} />
            <span class="hint" id="hours-hint" ?hidden=${this.wrong !== ''}>${days === '' ? `${TTL_HOURS.least} to ${TTL_HOURS.most}.` : `That is ${days}.`}</span>
            <span class="wrong" id="hours-wrong" role="alert">${this.wrong}</span>
          </label>
        </div>
        <button class="button primary" aria-disabled=${busy}>${busy ? 'Making…' : state.minted ? 'Make another token' : 'Make a token'}</button>
      </form>
      ${state.minted && !state.minted.revoked ? this.#minted(state.minted) : nothing}
    `;
  }

  #minted({ token, expiresAt }: NonNullable<SharingState['minted']>) {
    return html`
      <div class="minted">
        <h3 id="minted" tabindex="-1">Copy the token now</h3>
        <p>It is shown this once; closing this dialog hides it. It ends on <time datetime=${expiresAt.toISOString()}>${dateAndTime(expiresAt)}</time>.</p>
        <div class="once"><code>${token}</code><ui-copy caption="Copy token" .text=${token}></ui-copy></div>
      </div>
    `;
  }

  #public({ publicity, doing }: SharingState) {
    switch (publicity.of) {
      case 'user':
        return html`<div class="public">
          <p class="on" id="public" tabindex="-1">Public, since ${fromNow(publicity.since, new Date())}</p>
          <p>Everybody who reaches this server sees it, with the data you could see when you made it public.</p>
          <ui-confirm caption="End public access" question="Pages that show it without a token stop showing it at once." ?busy=${doing === 'ending'} @confirmed=${this.#endPublic}></ui-confirm>
        </div>`;
      case 'another':
        return html`<div class="public">
          <p class="on" id="public" tabindex="-1">Public, by another user</p>
          <p>Pages show it without a token, with the data that user may see. Only that user or an administrator ends it.</p>
        </div>`;
      case 'nobody':
      case 'ended':
        return html`<div class="public">
          <p id="public" tabindex="-1">${publicity.of === 'ended' ? 'Not public any more.' : 'Not public.'} Once it is, everybody who reaches this server sees it in any page, with the data
            you can see now. Nobody has to sign in.</p>
          <button class="button primary" type="button" aria-disabled=${doing === 'publishing'} @click=${this.#publish}>${doing === 'publishing' ? 'Making it public…' : 'Make it public'}</button>
        </div>`;
    }
  }

  protected override render() {
    const { state } = this;
    if (state === undefined) return nothing;
    return html`
      <fieldset>
        <legend><h3>Who may see it in other pages</h3></legend>
        <div class="ways">${WAYS.map(
          ({ way, title, note }) => html`
            <label class="way">
              <input type="radio" name="way" value=${way} .checked=${way === this.way} aria-describedby=${`note-${way}`} @change=${() => this.#choose(way)} />
              <b>${title}</b><span id=${`note-${way}`}>${note}</span>
            </label>`,
        )}</div>
      </fieldset>
      ${this.way === 'token' ? this.#token(state) : this.#public(state)}
    `;
  }
}

function wrongHours(typed: string): string {
  const hours = Number(typed);
  return Number.isInteger(hours) && hours >= TTL_HOURS.least && hours <= TTL_HOURS.most
    ? ''
    : `Enter a whole number from ${TTL_HOURS.least} to ${TTL_HOURS.most}.`;
}

customElements.define('ui-share-access', AccessPanel);
