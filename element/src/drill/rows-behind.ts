import { html, nothing, type TemplateResult } from 'lit';
import { encodePath, send } from '../api/client.ts';
import { Failure } from '../api/failure.ts';
import type { DrillStep } from '../api/filter-state.ts';
import { type Answer, parseAnswer } from '../api/parse-answer.ts';
import { interactiveTable } from '../render/answer-view.ts';
import { failureNotice, notice, skeleton } from '../render/placeholders.ts';
import { resultStatus } from '../render/result-status.ts';
import { Panel } from '../state/panel.ts';
import type { DrillOptions, Host } from '../types.ts';

export interface RowsOptions extends Pick<DrillOptions, 'host' | 'source' | 'access'> {
  /** A tile; undefined for a query. */
  readonly target: string | undefined;
  /** The row whose rows are shown, in words. */
  readonly title: string;
  readonly query: { readonly at: string; readonly steps: readonly DrillStep[]; readonly filter: string | undefined };
  readonly closed: () => void;
}

const FORM = { render: 'table', mode: undefined, measure: undefined, compare: undefined } as const;

/** Shows the rows behind one row of an answer, in a dialog of the element. */
export class RowsBehind {
  readonly #options: RowsOptions;
  readonly #host: Host;
  readonly #panel: Panel;
  /** A dialog that the visitor has closed must not open again at the next rendering. */
  #isOpened = false;

  constructor(options: RowsOptions) {
    this.#options = options;
    const none = { value: () => {} };
    // The page hears of answers that it embeds, not of this one.
    this.#host = Object.create(options.host, {
      loaded: none,
      rendered: none,
      failed: none,
      announce: none,
      select: { value: () => false },
    });
    this.#panel = new Panel({ host: this.#host, read: (signal) => readRows(options, signal), tile: undefined });
  }

  start(): void {
    this.#panel.resource.start();
  }

  render(): TemplateResult {
    const { title, closed } = this.#options;
    const { formats } = this.#host;
    const stopped = (): void => {
      this.#panel.resource.stop();
      closed();
    };
    return html`<dialog class="rows" part="rows" aria-labelledby="rows-title" @close=${stopped} @click=${closeOutside}>
      <div class="rows-box">
        <div class="rows-head"><p class="rows-title" id="rows-title"><span>${formats.say('Rows')}</span> ${title}</p>
          <button type="button" class="rows-close" part="rows-close" aria-label=${formats.say('Close')} @click=${close}>×</button></div>
        ${this.#body()}
      </div>
    </dialog>`;
  }

  #body(): TemplateResult {
    const host = this.#host;
    const { formats } = host;
    const { state } = this.#panel.resource;
    if (state.status === 'loading') return skeleton('table', formats.say('Loading…'));
    if (state.status === 'failed') {
      const { retriable } = state.failure;
      return html`${failureNotice(formats.say(retriable ? 'The rows could not be read.' : 'These rows are not available.'))}${
        retriable
          ? html`<button type="button" class="rows-again" @click=${() => void this.#panel.resource.refresh()}>${formats.say('Try again')}</button>`
          : nothing
      }`;
    }
    const answer = state.value;
    if (answer.suppressed && answer.rows.length === 0)
      return notice(formats.say('These rows are hidden'), formats.say('Hidden to protect a small group'));
    if (answer.rows.length === 0)
      return notice(formats.say('No rows'), formats.say('There are no rows behind this figure any more.'));
    const table = interactiveTable(this.#panel, answer, host, { ...FORM, title: this.#options.title });
    return html`${table}${resultStatus(answer, formats, { stale: state.stale, rows: true, sorted: this.#panel.table.sort !== undefined })}`;
  }

  afterRender(): void {
    const dialog = this.#host.root.querySelector('dialog.rows');
    if (this.#isOpened || !(dialog instanceof HTMLDialogElement)) return;
    this.#isOpened = true;
    dialog.showModal();
  }
}

function close({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement) currentTarget.closest('dialog')?.close();
}

/** Closes the dialog where the visitor clicks beside it. */
function closeOutside({ currentTarget, target }: Event): void {
  if (target === currentTarget && currentTarget instanceof HTMLDialogElement) currentTarget.close();
}

async function readRows({ source, access, target, query }: RowsOptions, signal: AbortSignal): Promise<Answer> {
  const { at, steps, filter } = query;
  const asked = new URLSearchParams({
    at,
    ...(steps.length > 0 ? { drill: JSON.stringify(steps) } : {}),
    ...(filter === undefined ? {} : { filter }),
  });
  const tile = target === undefined ? '' : `/tiles/${encodePath(target)}`;
  const response = await send(source, access, `${source.kind}/${encodePath(source.path)}${tile}/rows?${asked}`, signal);
  try {
    return parseAnswer(await response.json());
  } catch {
    throw new Failure('INVALID_ANSWER');
  }
}
