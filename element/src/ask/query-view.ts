import { html, nothing, type TemplateResult } from 'lit';
import type { Host } from '../types.ts';
import type { AskResult } from './ask-box.ts';
import type { Asker } from './exchange.ts';

/** Renders the query behind an answer, which the visitor may correct and run. @param isOpen whether it is shown at once */
export function queryView(asker: Asker, query: string, { formats }: Host, isOpen: boolean): TemplateResult {
  const run = (event: SubmitEvent) => {
    event.preventDefault();
    const text = event.target instanceof HTMLFormElement ? event.target.querySelector('textarea') : null;
    if (text === null) return;
    // The browser shows the message at the field, and says it.
    text.setCustomValidity(asker.correct(text.value) ? '' : formats.say('This is no query in JSON.'));
    text.reportValidity();
  };
  const typed = ({ target }: Event) => {
    if (target instanceof HTMLTextAreaElement) target.setCustomValidity('');
  };
  return html`<details class="ask-query" part="ask-query" ?open=${isOpen}><summary>${formats.say('Show the query')}</summary>
    <form @submit=${run}>
      <textarea class="ask-text" part="ask-text" spellcheck="false" aria-label=${formats.say('Query')} rows="8" ?readonly=${!asker.canAsk} .value=${query} @input=${typed}>${query}</textarea>
      <button class="ask-run" part="ask-run" type="submit" ?disabled=${asker.isAsking || !asker.canAsk}>${formats.say('Run this query')}</button>
    </form></details>`;
}

/** Renders the button that marks an answer as wrong. */
export function wrongView(asker: Asker, isMarked: boolean, { formats }: Host): TemplateResult | typeof nothing {
  if (!asker.canAsk) return nothing;
  return isMarked
    ? html`<p class="ask-marked">${formats.say('Thank you. The owners of this data see it.')}</p>`
    : html`<button class="ask-link ask-wrong" part="ask-wrong" type="button" @click=${() => void asker.markWrong()}>${formats.say('This answer is wrong')}</button>`;
}

/** Renders a question back, with its readings to choose from. */
export function readingsView(
  asker: Asker,
  { question, readings }: Extract<AskResult, { kind: 'clarification' }>,
): TemplateResult {
  return html`<p class="ask-back" part="ask-back">${question}</p>
    <div class="ask-chips" role="group" aria-label=${question}>${readings.map(
      ({ label, query }) =>
        html`<button class="ask-chip" part="ask-chip" type="button" ?disabled=${asker.isAsking} @click=${() => asker.correct(query)}>${label}</button>`,
    )}</div>`;
}
