import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/answer.ts';
import { chartColumns, isTime } from '../api/columns.ts';
import { answerView } from '../render/answer-view.ts';
import { notice, skeleton } from '../render/placeholders.ts';
import { resultStatus, rowCountText } from '../render/result-status.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import type { AskBox, Progress } from './ask-box.ts';
import type { Asker, Exchange } from './exchange.ts';

/** Characters of a question that the server takes. */
const MAX_QUESTION_LENGTH = 4_000;

/** Bars and points that a reader still tells apart; more are a table at first. */
const MAX_CHART_ROWS = 40;

const PROGRESS: Readonly<Record<Progress, string>> = {
  thinking: 'Understanding the question…',
  checking: 'Checking the query…',
  mending: 'Mending the query…',
  running: 'Asking the data…',
};

/** What a question that failed says, by the code of its error; why is not for the visitor of the page. */
const FAILED: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  ASK_NOT_CONFIGURED: ['Questions cannot be asked here at present', ''],
  QUOTA_EXCEEDED: ['Enough has been asked for today', 'Ask again tomorrow.'],
  RATE_LIMITED: ['Too many questions at once', 'Ask again in a moment.'],
};

/** Renders the box: the question, what may be asked, and the last answer. */
export function askView(asker: Asker, box: AskBox, host: Host): TemplateResult {
  const { exchanges, isAsking } = asker;
  const last = exchanges.at(-1);
  const { configured, title, description, suggestions } = box;
  return html`
    <header class="ask-head">
      <p class="ask-title" id="ask-title">${title}</p>
      ${exchanges.length > 0 ? html`<button class="ask-link" type="button" @click=${() => asker.startOver()}>New conversation</button>` : nothing}
      ${description && !last ? html`<p class="ask-about">${description}</p>` : nothing}
    </header>
    ${configured ? formView(asker, isAsking) : closedView(suggestions)}
    ${earlierView(exchanges)}
    ${last ? exchangeView(asker, last, host) : configured ? chipsView(asker, 'Try one of these', suggestions) : nothing}`;
}

/** Says that nothing can be asked, and what the box is there for. Who could switch it on does not read this page. */
function closedView(suggestions: readonly string[]): TemplateResult {
  return html`<p class="ask-closed" part="notice">Questions cannot be asked here at present</p>
    ${
      suggestions.length === 0
        ? nothing
        : html`<div class="ask-chips"><span class="ask-label">Made for questions such as</span>
            <ul class="ask-examples">${suggestions.map((question) => html`<li>${question}</li>`)}</ul></div>`
    }`;
}

function formView(asker: Asker, isAsking: boolean): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (asker.isAsking) return asker.cancel();
    const input = event.target instanceof HTMLFormElement ? event.target.querySelector('input') : null;
    if (!input?.value.trim()) return input?.focus();
    const question = input.value;
    input.value = '';
    void asker.ask(question);
  };
  return html`<form class="ask-form" part="ask-form" @submit=${submit}>
    <input class="ask-input" part="ask-input" name="question" aria-labelledby="ask-title" placeholder="Ask a question about this data"
      autocomplete="off" enterkeyhint="send" maxlength=${MAX_QUESTION_LENGTH} ?disabled=${!asker.canAsk}>
    <button class="ask-button" part="ask-button" type="submit" ?disabled=${!asker.canAsk}>${isAsking ? 'Stop' : 'Ask'}</button>
  </form>`;
}

/** Renders the questions before the one that is shown: what a follow-up goes on from. */
function earlierView(exchanges: readonly Exchange[]): TemplateResult | typeof nothing {
  const earlier = exchanges.slice(0, -1).slice(-3);
  if (earlier.length === 0) return nothing;
  return html`<ol class="ask-earlier" aria-label="Asked before">${earlier.map(({ question }) => html`<li>${question}</li>`)}</ol>`;
}

function exchangeView(asker: Asker, exchange: Exchange, host: Host): TemplateResult {
  const { question, result, progress } = exchange;
  return html`<section class="ask-exchange">
    <p class="ask-question">${question}</p>
    ${
      result === undefined
        ? html`<p class="ask-progress">${PROGRESS[progress]}</p>${skeleton('table')}`
        : result.kind === 'answer'
          ? answeredView(asker, exchange, result, host)
          : result.kind === 'not-understood'
            ? html`${notice('That was not understood', result.message)}${chipsView(asker, 'You could ask', result.suggestions)}`
            : failedView(asker, question, result.code)
    }
  </section>`;
}

function answeredView(
  asker: Asker,
  { panel }: Exchange,
  { query, followUps }: { readonly query: string; readonly followUps: readonly string[] },
  host: Host,
): TemplateResult {
  const answer = panel?.answer;
  if (!panel || !answer) return skeleton('table');
  const form = formOf(answer);
  host.announce(`${answer.title}: ${rowCountText(answer.rows.length, host.formats)}`);
  return html`
    <div class="ask-answer is-${form.render}" part="ask-answer">${answerView(panel, answer, host, form)}</div>
    ${resultStatus(answer, host.formats, { stale: false, rows: form.render === 'table', sorted: panel.table.sort !== undefined })}
    <details class="ask-query" part="ask-query"><summary>Show the query</summary><pre tabindex="0">${query}</pre></details>
    ${chipsView(asker, 'Go on with', followUps)}`;
}

/** Chooses how an answer is shown first: one number large, some bars or a line, else a table. */
function formOf(answer: Answer): AnswerViewOptions {
  const { rows, columns, title } = answer;
  const { category, series } = chartColumns(answer);
  const common = { title, measure: undefined, compare: undefined, mode: 'bar' } as const;
  if (rows.length === 1 && columns.length === 1 && series.length === 1) return { ...common, render: 'kpi' };
  const groups = columns.length - series.length;
  const isDrawn = rows.length > 1 && rows.length <= MAX_CHART_ROWS && groups === 1 && series.length > 0;
  if (!isDrawn || category === undefined) return { ...common, render: 'table' };
  const column = columns[category];
  return { ...common, render: 'chart', mode: column && isTime(column) ? 'line' : 'bar' };
}

function failedView(asker: Asker, question: string, code: string): TemplateResult {
  const [title, detail] = FAILED[code] ?? ['This question could not be answered', 'It may work in a moment.'];
  return html`<div class="ask-failed" role="alert">${notice(title, detail)}
    <button class="ask-chip" part="ask-chip" type="button" @click=${askBy(asker, question)}>Ask again</button></div>`;
}

/** Asks for a button that goes away with its answer; the keyboard goes on from the one that stops. */
function askBy(asker: Asker, question: string): (event: Event) => void {
  return ({ target }) => {
    void asker.ask(question);
    const root = target instanceof Element ? target.getRootNode() : undefined;
    if (root instanceof ShadowRoot) root.querySelector<HTMLElement>('.ask-button')?.focus();
  };
}

function chipsView(asker: Asker, label: string, questions: readonly string[]): TemplateResult | typeof nothing {
  if (questions.length === 0) return nothing;
  return html`<div class="ask-chips" role="group" aria-label=${label}><span class="ask-label" aria-hidden="true">${label}</span>${questions.map(
    (question) =>
      html`<button class="ask-chip" part="ask-chip" type="button" ?disabled=${asker.isAsking || !asker.canAsk} @click=${askBy(asker, question)}>${question}</button>`,
  )}</div>`;
}
