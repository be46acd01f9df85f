import { html, nothing, type TemplateResult } from 'lit';
import { chartColumns, isTime } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import { answerView } from '../render/answer-view.ts';
import { notice, skeleton } from '../render/placeholders.ts';
import { resultStatus, rowCountText } from '../render/result-status.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import type { AskBox, AskResult, Certification, Progress } from './ask-box.ts';
import type { Asker, Exchange } from './exchange.ts';
import { queryView, readingsView, wrongView } from './query-view.ts';

/** Number of characters that the server accepts in a question. */
const MAX_QUESTION_LENGTH = 4_000;

/** Number of bars or points that a reader can tell apart. Longer answers start as a table. */
const MAX_CHART_ROWS = 40;

const PROGRESS: Readonly<Record<Progress, string>> = {
  thinking: 'Reading the question…',
  checking: 'Checking the query…',
  mending: 'Correcting the query…',
  running: 'Running the query…',
};

/** Messages of failed questions by error code. The page's visitor sees no reason. */
const FAILED: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  ASK_NOT_CONFIGURED: ['Questions are not available here right now', ''],
  QUOTA_EXCEEDED: ['Today’s limit of questions is reached', 'Try again tomorrow.'],
  RATE_LIMITED: ['Too many questions at once', 'Try again in a moment.'],
};

/** Renders the box: the question field, suggestions, and the last answer. */
export function askView(asker: Asker, box: AskBox, host: Host): TemplateResult {
  const { exchanges, isAsking } = asker;
  const last = exchanges.at(-1);
  const { configured, title, description, suggestions } = box;
  return html`
    <header class="ask-head">
      <p class="ask-title" id="ask-title">${title}</p>
      ${exchanges.length > 0 ? html`<button class="ask-link" type="button" @click=${() => asker.startOver()}>${host.formats.say('New conversation')}</button>` : nothing}
      ${description && !last ? html`<p class="ask-about">${description}</p>` : nothing}
    </header>
    ${configured ? formView(asker, isAsking, host) : closedView(suggestions, host)}
    ${earlierView(exchanges, host)}
    ${last ? exchangeView(asker, last, host) : configured ? chipsView(asker, host.formats.say('Try one of these'), suggestions) : nothing}`;
}

/** Renders the notice of a box that accepts no questions, with its example questions. */
function closedView(suggestions: readonly string[], { formats }: Host): TemplateResult {
  return html`<p class="ask-closed" part="notice">${formats.say('Questions are not available here right now')}</p>
    ${
      suggestions.length === 0
        ? nothing
        : html`<div class="ask-chips"><span class="ask-label">${formats.say('Example questions')}</span>
            <ul class="ask-examples">${suggestions.map((question) => html`<li>${question}</li>`)}</ul></div>`
    }`;
}

function formView(asker: Asker, isAsking: boolean, { formats }: Host): TemplateResult {
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
    <input class="ask-input" part="ask-input" name="question" aria-labelledby="ask-title" placeholder=${formats.say('Ask a question about this data')}
      autocomplete="off" enterkeyhint="send" maxlength=${MAX_QUESTION_LENGTH} ?disabled=${!asker.canAsk}>
    <button class="ask-button" part="ask-button" type="submit" ?disabled=${!asker.canAsk}>${formats.say(isAsking ? 'Stop' : 'Ask')}</button>
  </form>`;
}

/** Renders the earlier questions, which a follow-up refers to. */
function earlierView(exchanges: readonly Exchange[], { formats }: Host): TemplateResult | typeof nothing {
  const earlier = exchanges.slice(0, -1).slice(-3);
  if (earlier.length === 0) return nothing;
  return html`<ol class="ask-earlier" aria-label=${formats.say('Earlier questions')}>${earlier.map(({ question }) => html`<li>${question}</li>`)}</ol>`;
}

function exchangeView(asker: Asker, exchange: Exchange, host: Host): TemplateResult {
  const { question, result, progress } = exchange;
  return html`<section class="ask-exchange">
    <p class="ask-question">${question}</p>
    ${
      result === undefined
        ? html`<p class="ask-progress">${host.formats.say(PROGRESS[progress])}</p>${skeleton('table')}`
        : result.kind === 'answer'
          ? answeredView(asker, exchange, result, host)
          : result.kind === 'clarification'
            ? readingsView(asker, result)
            : result.kind === 'not-understood'
              ? html`${notice(host.formats.say(exchange.written === undefined ? 'The question was not understood' : 'This query cannot be answered'), result.message)}${exchange.written === undefined ? nothing : queryView(asker, exchange.written, host, true)}${chipsView(asker, host.formats.say('You could ask'), result.suggestions)}`
              : failedView(asker, question, result.code, host)
    }
  </section>`;
}

function answeredView(
  asker: Asker,
  { panel, isMarked }: Exchange,
  { query, followUps, certified }: Extract<AskResult, { kind: 'answer' }>,
  host: Host,
): TemplateResult {
  const answer = panel?.answer;
  if (!panel || !answer) return skeleton('table');
  const form = chooseAnswerView(answer);
  host.announce(`${answer.title}: ${rowCountText(answer.rows.length, host.formats)}`);
  return html`
    ${certified === undefined ? nothing : certifiedView(certified, host.formats)}
    <div class="ask-answer is-${form.render}" part="ask-answer">${answerView(panel, answer, host, form)}</div>
    ${resultStatus(answer, host.formats, { stale: false, rows: form.render === 'table', sorted: panel.table.sort !== undefined })}
    ${queryView(asker, query, host, false)}
    ${wrongView(asker, isMarked, host)}
    ${chipsView(asker, host.formats.say('Ask next'), followUps)}`;
}

function certifiedView({ by, at }: Certification, formats: Host['formats']): TemplateResult {
  const words = by === undefined ? formats.say('Certified answer') : formats.say('Certified answer by {0}', by);
  return html`<p class="ask-certified" part="ask-certified">${words}${at === undefined ? nothing : html`, <time datetime=${at}>${at}</time>`}</p>`;
}

/** Chooses the first view of an answer: one large number, a chart of few rows, else a table. */
function chooseAnswerView(answer: Answer): AnswerViewOptions {
  const { rows, columns, title } = answer;
  const { category, series } = chartColumns(answer);
  const common = { title, measure: undefined, compare: undefined, mode: undefined, chart: { kind: 'auto' } } as const;
  if (rows.length === 1 && columns.length === 1 && series.length === 1) return { ...common, render: 'kpi' };
  const groups = columns.length - series.length;
  const isDrawn = rows.length > 1 && rows.length <= MAX_CHART_ROWS && groups === 1 && series.length > 0;
  if (!isDrawn || category === undefined) return { ...common, render: 'table' };
  const column = columns[category];
  return { ...common, render: 'chart', mode: column && isTime(column) ? 'line' : undefined };
}

function failedView(asker: Asker, question: string, code: string, { formats }: Host): TemplateResult {
  const [title, detail] = FAILED[code] ?? ['This question could not be answered', 'Try again in a moment.'];
  return html`<div class="ask-failed" role="alert">${notice(formats.say(title), formats.say(detail))}
    <button class="ask-chip" part="ask-chip" type="button" @click=${createAskListener(asker, question)}>${formats.say('Ask again')}</button></div>`;
}

/**
 * Returns a listener that asks `question`. Its button disappears with the answer, so the focus moves to the submit
 * button.
 */
function createAskListener(asker: Asker, question: string): (event: Event) => void {
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
      html`<button class="ask-chip" part="ask-chip" type="button" ?disabled=${asker.isAsking || !asker.canAsk} @click=${createAskListener(asker, question)}>${question}</button>`,
  )}</div>`;
}
