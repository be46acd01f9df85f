import { css, html, LitElement, nothing, svg } from 'lit';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import type { Profile } from './profile.ts';
import { type Finding, IS_LOSS, isChosen, type ReadingChoices } from './reading.ts';
import { NO_NOTICE, type ReadingNotice } from './reading-wish.ts';

/** The detail of the event `reading`: choices to add for a table. */
export interface ReadingChange {
  readonly table: string;
  readonly choices: Finding['repairs'][number]['choices'];
}

const CHECK = svg`<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m3 8.5 3.2 3.2L13 5" /></svg>`;

/**
 * Lists what was lost or decided when the files were read, in numbers, with the repairs beside it. Fires `reading` with a
 * repair's choices, and `undo` to take the last one back.
 */
export class LossesPanel extends LitElement {
  static override properties = {
    profile: { attribute: false },
    canUndo: { type: Boolean },
    notice: { attribute: false },
    waiting: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      .cards { display: grid; gap: 8px; }
      li { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 4px 12px; padding: 13px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      li.loss { border-color: var(--warn); background: var(--warn-wash); }
      .mark { display: grid; place-items: center; width: 20px; height: 20px; border-radius: 50%; background: var(--sunken); color: var(--muted); font: 650 13px / 1 var(--body); }
      .loss .mark { background: var(--warn); color: var(--paper); }
      .message { font-size: 15px; overflow-wrap: anywhere; }
      .acts { grid-column: 2; display: flex; flex-wrap: wrap; gap: 6px; margin-top: 4px; }
      .acts .button { min-height: 32px; height: auto; padding: 6px 11px; font-size: 13px; white-space: normal; text-align: start; overflow-wrap: anywhere; }
      .acts .button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent); cursor: default; }
      details { margin-top: 12px; }
      summary { width: fit-content; color: var(--accent); font-size: 14px; font-weight: 550; cursor: pointer; }
      details ul { margin-top: 10px; }
      .fine { color: var(--muted); }
      .problem { color: var(--bad); font-weight: 500; }
      @media (forced-colors: active) { .mark { border: 1px solid; } }
    `,
  ];

  declare profile: Profile | undefined;
  /** Whether a choice can be taken back. */
  declare canUndo: boolean;
  /** Whether the files are being read again, and why they could not be read as chosen here. */
  declare notice: ReadingNotice;
  /** The choices that the files are being read with; `undefined` while they are read as shown. */
  declare waiting: ReadingChoices | undefined;

  constructor() {
    super();
    this.profile = undefined;
    this.canUndo = false;
    this.notice = NO_NOTICE;
    this.waiting = undefined;
  }

  #choose(detail: ReadingChange): void {
    this.dispatchEvent(new CustomEvent('reading', { detail }));
  }

  #card({ kind, table, message: english, repairs }: Finding) {
    const message = inWords(english);
    const isLoss = IS_LOSS[kind];
    return html`
      <li class=${isLoss ? 'loss' : ''}>
        <span class="mark" aria-hidden="true">${isLoss ? '!' : 'i'}</span>
        <p class="message">${message}</p>
        ${
          repairs.length === 0
            ? nothing
            : html`<div class="acts">${repairs.map(({ label: englishLabel, choices }) => {
                const label = inWords(englishLabel);
                const isWaiting = this.waiting !== undefined && isChosen(this.waiting, table, choices);
                const words = isWaiting ? msg(str`Chosen: ${label}`) : label;
                return html`<button class="button" type="button" aria-label=${`${words}: ${message}`} aria-pressed=${isWaiting ? 'true' : nothing}
                    @click=${() => this.#choose({ table, choices })}>${isWaiting ? CHECK : nothing}${words}</button>`;
              })}</div>`
        }
      </li>
    `;
  }

  protected override render() {
    const tables = (this.profile?.tables ?? []).filter(({ reading }) => reading !== undefined);
    if (tables.length === 0) return nothing;
    const { isWorking, problem } = this.notice;
    const findings = tables.flatMap(({ reading }) => reading?.findings ?? []);
    const losses = findings.filter(({ kind }) => IS_LOSS[kind]);
    const decisions = findings.filter(({ kind }) => !IS_LOSS[kind]);
    return html`
      <div class="section-head">
        <div><h2>${losses.length === 0 ? msg('Everything was read') : msg('Check these first')}</h2>
          <p class="fine" role="status">${
            isWorking
              ? msg('Reading the files again…')
              : losses.length === 0
                ? msg('No value and no row of your files is missing.')
                : msg(
                    'These values or rows would be missing from your answers. Choose what to do; we read the files again.',
                  )
          }</p>
          ${problem === '' ? nothing : html`<p class="problem" role="alert">${msg('The files could not be read in this way.')} ${problem}</p>`}</div>
        ${this.canUndo ? html`<button class="button" type="button" @click=${this.#undo}>${msg('Undo the last choice')}</button>` : nothing}
      </div>
      ${losses.length === 0 ? nothing : html`<ul class="cards">${losses.map((each) => this.#card(each))}</ul>`}
      ${
        decisions.length === 0
          ? nothing
          : html`<details ?open=${losses.length === 0}><summary>${decisions.length === 1 ? msg('1 decision we took while reading') : msg(str`${decisions.length} decisions we took while reading`)}</summary>
              <ul class="cards">${decisions.map((each) => this.#card(each))}</ul></details>`
      }
    `;
  }

  #undo(): void {
    this.dispatchEvent(new CustomEvent('undo'));
  }
}

customElements.define('ui-losses', LossesPanel);
