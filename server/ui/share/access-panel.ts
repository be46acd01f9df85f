import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { formatDateTime, formatHoursAsDays, formatRelativeTime } from './format-time.ts';
import type { Audience, Sharing, SharingState } from './sharing.ts';
import { TTL_HOURS_LIMIT } from './tokens-and-grants.ts';
import '../code/copy-button.ts';
import './confirm-button.ts';

const AUDIENCE_CHOICES: readonly { readonly audience: Audience; readonly title: string; readonly note: string }[] = [
  {
    audience: 'token',
    title: msg('With a token'),
    note: msg('Only pages with the token show it. The token expires, and you can revoke it.'),
  },
  {
    audience: 'public',
    title: msg('Public'),
    note: msg('Any page shows it without a token, until you end public access.'),
  },
];

/**
 * Lets the user choose who can see the document in other pages. Fires `audience` when the choice changes, and `done`
 * with a text to announce.
 */
export class AccessPanel extends LitElement {
  static override properties = {
    sharing: { attribute: false },
    state: { attribute: false },
    audience: {},
    hours: { state: true },
    hoursMessage: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
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
      .readers { margin-bottom: 20px; font-size: 14px; color: var(--muted); }
      .on { display: inline-flex; align-items: center; gap: 8px; font-weight: 600; }
      .on::before { content: ''; width: 8px; height: 8px; border-radius: 50%; background: var(--good); }
    `,
  ];

  declare sharing: Sharing | undefined;
  declare state: SharingState | undefined;
  declare audience: Audience;
  declare hours: string;
  declare hoursMessage: string;

  constructor() {
    super();
    this.sharing = undefined;
    this.state = undefined;
    this.audience = 'token';
    this.hours = String(TTL_HOURS_LIMIT.default);
    this.hoursMessage = '';
  }

  #choose(audience: Audience): void {
    this.dispatchEvent(new CustomEvent('audience', { detail: audience }));
  }

  #done(what: string): void {
    this.dispatchEvent(new CustomEvent('done', { detail: what }));
  }

  #typedHours({ currentTarget }: InputEvent): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    this.hours = currentTarget.value;
    if (this.hoursMessage !== '') this.hoursMessage = findHoursError(this.hours);
  }

  async #mint(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { sharing } = this;
    this.hoursMessage = findHoursError(this.hours);
    if (this.hoursMessage !== '') {
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
    this.#done(msg('The token is created. It is shown only once.'));
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('#minted')?.focus();
  }

  async #publish(): Promise<void> {
    if (!(await this.sharing?.publish())) return;
    this.#done(msg('The document is public.'));
    await this.#focusPublic();
  }

  async #endPublic(): Promise<void> {
    if (!(await this.sharing?.endPublic())) return;
    this.#done(msg('The document is no longer public.'));
    await this.#focusPublic();
  }

  /** Moves the focus from the removed button to the text that shows the new state. */
  async #focusPublic(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('#public')?.focus();
  }

  #token(state: SharingState) {
    const busy = state.pendingAction === 'minting';
    const days = formatHoursAsDays(Number(this.hours));
    return html`
      <form novalidate @submit=${this.#mint}>
        <div class="pair">
          <label class="field">
            <span>${msg('Label')} <span class="hint">${msg('(optional)')}</span></span>
            <input class="input" name="label" maxlength="200" autocomplete="off" placeholder=${msg('Customer portal')} aria-describedby="label-hint" />
            <span class="hint" id="label-hint">${msg('Helps you tell your tokens apart.')}</span>
          </label>
          <label class="field">
            <span>${msg('Valid for, in hours')}</span>
            <input class="input" name="hours" type="number" inputmode="numeric" min=${TTL_HOURS_LIMIT.min} max=${TTL_HOURS_LIMIT.max} step="1" required .value=${this.hours}
              aria-invalid=${this.hoursMessage !== ''} aria-describedby="hours-hint hours-wrong" @input=${this.#typedHours} />
            <span class="hint" id="hours-hint" ?hidden=${this.hoursMessage !== ''}>${days === '' ? msg(str`${TTL_HOURS_LIMIT.min} to ${TTL_HOURS_LIMIT.max}.`) : msg(str`Equals ${days}.`)}</span>
            <span class="wrong" id="hours-wrong" role="alert">${this.hoursMessage}</span>
          </label>
        </div>
        <button class="button primary" aria-disabled=${busy}>${busy ? msg('Creating…') : state.minted ? msg('Create another token') : msg('Create token')}</button>
      </form>
      ${state.minted && !state.minted.revoked ? this.#minted(state.minted) : nothing}
    `;
  }

  #minted({ token, expiresAt }: NonNullable<SharingState['minted']>) {
    return html`
      <div class="minted">
        <h3 id="minted" tabindex="-1">${msg('Copy the token now')}</h3>
        <p>${msg(str`It is shown only once, until you close this dialog. It expires on ${formatDateTime(expiresAt)}.`)}</p>
        <div class="once"><code>${token}</code><ui-copy caption=${msg('Copy token')} .text=${token}></ui-copy></div>
      </div>
    `;
  }

  #public({ publicAccess, pendingAction }: SharingState) {
    switch (publicAccess.of) {
      case 'user':
        return html`<div class="public">
          <p class="on" id="public" tabindex="-1">${msg(str`Made public ${formatRelativeTime(publicAccess.since, new Date())}`)}</p>
          <p>${msg('Everybody who can reach this server sees it, with the data that you were allowed to see when you made it public.')}</p>
          <ui-confirm caption=${msg('End public access')} question=${msg('Pages without a token stop showing the data at once.')} ?busy=${pendingAction === 'ending'} @confirmed=${this.#endPublic}></ui-confirm>
        </div>`;
      case 'another':
        return html`<div class="public">
          <p class="on" id="public" tabindex="-1">${
            publicAccess.owner === undefined || publicAccess.since === undefined
              ? msg('Made public by another user')
              : msg(str`Made public by ${publicAccess.owner} ${formatRelativeTime(publicAccess.since, new Date())}`)
          }</p>
          <p>${msg('Pages show it without a token, with the data that this user may see. Only this user or an administrator can end public access.')}</p>
        </div>`;
      case 'nobody':
      case 'ended':
        return html`<div class="public">
          <p id="public" tabindex="-1">${publicAccess.of === 'ended' ? msg('No longer public.') : msg('Not public.')} ${msg('If you make it public, everybody who can reach this server sees it in any page without signing in, with the data that you may see now.')}</p>
          <button class="button primary" type="button" aria-disabled=${pendingAction === 'publishing'} @click=${this.#publish}>${pendingAction === 'publishing' ? msg('Making it public…') : msg('Make public')}</button>
        </div>`;
    }
  }

  protected override render() {
    const { state } = this;
    if (state === undefined) return nothing;
    const isAskBox = this.sharing?.document.kind === 'ai';
    return html`
      <p class="readers">${readersOf(this.sharing?.document.path ?? '')}</p>
      <fieldset>
        <legend><h3>${msg('Who can see it in other pages')}</h3></legend>
        ${isAskBox ? html`<p class="hint">${msg('An ask box cannot be public: every question costs part of your tenant’s budget.')}</p>` : nothing}
        <div class="ways">${AUDIENCE_CHOICES.filter(({ audience }) => !isAskBox || audience === 'token').map(
          ({ audience, title, note }) => html`
            <label class="way">
              <input type="radio" name="way" value=${audience} .checked=${audience === this.audience} aria-describedby=${`note-${audience}`} @change=${() => this.#choose(audience)} />
              <b>${title}</b><span id=${`note-${audience}`}>${note}</span>
            </label>`,
        )}</div>
      </fieldset>
      ${this.audience === 'token' ? this.#token(state) : this.#public(state)}
    `;
  }
}

/** Describes who in the product may read a document, by its folder. */
function readersOf(path: string): string {
  const owner = /^homes\/([^/]+)\//.exec(path)?.[1];
  return owner === undefined
    ? msg('In the product, everybody of your tenant may read it, each with the data that they may see.')
    : msg(str`In the product, only ${owner} and administrators may read it.`);
}

function findHoursError(typed: string): string {
  const hours = Number(typed);
  return Number.isInteger(hours) && hours >= TTL_HOURS_LIMIT.min && hours <= TTL_HOURS_LIMIT.max
    ? ''
    : msg(str`Enter a whole number from ${TTL_HOURS_LIMIT.min} to ${TTL_HOURS_LIMIT.max}.`);
}

customElements.define('ui-share-access', AccessPanel);
