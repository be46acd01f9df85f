import { css, html, LitElement, nothing, svg } from 'lit';
import { RemoteData, type RemoteState } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import type { Draft } from './draft.ts';
import { findDraftProblems } from './draft-problems.ts';
import { type Answer, chooseQuestions, type Question } from './questions.ts';
import { runQuestion } from './requests.ts';

/** Pause after a change before the results load again. */
const SETTLE_MS = 400;
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const LOADING: RemoteState<never> = { status: 'loading' };
const [WIDTH, HEIGHT] = [320, 96];

/** Shows the first results of the draft, and loads them again after each change. */
export class AnswersPanel extends LitElement {
  static override properties = { draft: { attribute: false }, connectionId: {}, isReplaced: { type: Boolean } };
  static override styles = [
    shared,
    css`
      .cards { display: grid; gap: 14px; }
      .card { padding: 16px 18px 18px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); }
      /* The former answers stay readable under a thin line of progress. */
      .cards { position: relative; }
      .busy::before { content: ''; position: absolute; inset: -6px 0 auto; height: 2px; border-radius: 1px; background: var(--accent); animation: wait 1.2s ease-in-out infinite alternate; transform-origin: left; }
      @keyframes wait { from { transform: scaleX(0.1); } }
      h3 { margin-bottom: 12px; color: var(--muted); font-size: 13px; font-weight: 550; }
      .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 158px), 1fr)); gap: 14px 20px; }
      .figures dt { color: var(--muted); font-size: 13px; }
      .figures dd { font-size: 22px; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      .bars { display: grid; gap: 8px; }
      .bars li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 3px 12px; font-size: 13px; }
      .bars b { overflow: hidden; font-weight: 500; text-overflow: ellipsis; white-space: nowrap; }
      .bars span { font-variant-numeric: tabular-nums; }
      .bars i { grid-column: 1 / -1; display: block; height: 7px; border-radius: 4px; background: var(--accent); }
      .rest { margin-top: 10px; color: var(--muted); font-size: 13px; }
      .course svg { display: block; width: 100%; height: 96px; overflow: visible; }
      .course path { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
      .course .area { fill: var(--accent-wash); stroke: none; }
      .ends { display: flex; justify-content: space-between; margin-top: 6px; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
      .notice { padding: 20px; }
      /* As high as the answer, so that little moves when it arrives. */
      .bone { height: 262px; border-radius: 12px; }
      .bone.figures { height: 150px; } .bone.course { height: 190px; }
      @media (prefers-reduced-motion: reduce) { .busy::before { animation: none; } }
    `,
  ];

  declare draft: Draft | undefined;
  declare connectionId: string | undefined;
  /** Whether the data is being read again: the database of the results on the page goes, and with it those still asked for. */
  declare isReplaced: boolean;
  readonly #answers = new RemoteData<readonly Answer[]>(this);
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #isWaiting = false;

  constructor() {
    super();
    this.draft = undefined;
    this.connectionId = undefined;
    this.isReplaced = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#waiting);
  }

  /** The answers on the page are old as soon as the model is another one, not only once the new ones are asked for. */
  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('draft') || changed.has('connectionId')) this.#isWaiting = true;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('draft') && !changed.has('connectionId')) return;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#ask(), changed.get('draft') === undefined ? 0 : SETTLE_MS);
  }

  async #ask(): Promise<void> {
    this.#isWaiting = false;
    this.requestUpdate();
    const { draft, connectionId } = this;
    if (draft === undefined || connectionId === undefined || findDraftProblems(draft).length > 0) return;
    const state = await this.#answers.read((signal) =>
      Promise.all(
        this.#questions().map((question) => runQuestion(session.client, draft, connectionId, question, signal)),
      ),
    );
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  #questions(): readonly Question[] {
    const cube = this.draft?.cubes.find(({ isKept }) => isKept);
    return cube === undefined || this.draft === undefined ? [] : chooseQuestions(cube, this.draft.language);
  }

  #answer({ question, rows, without }: Answer) {
    const { kind } = question;
    const title = kind === 'figures' ? msg('Key figures') : question.title;
    return html`<section class="card" aria-label=${title}><h3>${title}</h3>${
      rows.length === 0
        ? html`<p class="muted">${msg('No data.')}</p>`
        : kind === 'figures'
          ? html`<dl class="figures">${rows.map(({ label, written }) => html`<div><dt>${label}</dt><dd>${written === '' ? '–' : written}</dd></div>`)}</dl>`
          : kind === 'course'
            ? course(rows)
            : bars(rows)
    }${without === undefined ? nothing : html`<p class="rest">${msg(str`${percent.format(without.share)} of ${without.measure} has no ${without.group}.`)}</p>`}</section>`;
  }

  #content() {
    if (this.connectionId === undefined)
      return html`<div class="notice"><h3>${msg('Results need saved data')}</h3>
        <p>${msg('Your file is not saved on the server. An administrator can upload it to see results.')}</p></div>`;
    const problems = this.draft === undefined ? [] : findDraftProblems(this.draft);
    if (problems.length > 0)
      return html`<div class="notice"><h3>${msg('The model is incomplete')}</h3>${problems.map((each) => html`<p>${each}</p>`)}</div>`;
    const { state } = this.#answers;
    const isBusy = this.#isWaiting || this.#answers.isBusy || this.isReplaced;
    const shown = state.status === 'failed' && this.isReplaced ? LOADING : state;
    switch (shown.status) {
      case 'loading':
        return html`<div class="cards"><span class="visually-hidden" role="status">${msg('Loading the first results…')}</span>${this.#questions().map(({ kind }) => html`<div class="bone ${kind}"></div>`)}</div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('The first results could not be loaded')}</h3><p>${shown.message}</p>
          <button class="button" type="button" @click=${this.#ask}>${msg('Try again')}</button></div>`;
      case 'ready':
        return html`<div class="cards ${isBusy ? 'busy' : ''}" aria-busy=${isBusy}>${shown.value.map((answer) => this.#answer(answer))}</div>
          <span class="visually-hidden" role="status">${isBusy ? msg('Updating…') : msg('The results are up to date.')}</span>`;
    }
  }

  protected override render() {
    return html`<div class="section-head"><div><h2>${msg('First results')}</h2><p>${msg('From the model with your changes.')}</p></div></div>${this.#content()}`;
  }
}

function bars(rows: Answer['rows']) {
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return html`<ul class="bars">${rows.map(
    ({ label, value, written }) =>
      html`<li><b title=${label}>${label}</b><span>${written}</span><i .style=${`width: ${Math.max(1, (Math.abs(value) / most) * 100)}%`}></i></li>`,
  )}</ul>`;
}

function course(rows: Answer['rows']) {
  const most = Math.max(...rows.map(({ value }) => value), 0);
  const least = Math.min(...rows.map(({ value }) => value), 0);
  const x = (place: number): number => (rows.length === 1 ? WIDTH / 2 : (place / (rows.length - 1)) * WIDTH);
  const y = (value: number): number => HEIGHT - 4 - ((value - least) / (most - least || 1)) * (HEIGHT - 8);
  const points = rows.map(({ value }, place) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`);
  const line = `M${points.join('L')}`;
  const [first, last] = [rows[0], rows.at(-1)];
  const words = msg(
    str`From ${first?.label ?? ''}, ${first?.written ?? ''}, to ${last?.label ?? ''}, ${last?.written ?? ''}.`,
  );
  return html`<div class="course">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${words}>
      ${svg`<path class="area" d="${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z" /><path d=${line} />`}
    </svg>
    <p class="ends"><span>${first?.label ?? ''}</span>${rows.length > 1 ? html`<span>${last?.label ?? ''}</span>` : nothing}</p>
  </div>`;
}

customElements.define('ui-answers', AnswersPanel);
