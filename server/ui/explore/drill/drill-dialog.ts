import { css, html, LitElement, nothing } from 'lit';
import type { JsonObject } from '../../api-client/json.ts';
import { RemoteData } from '../../api-client/remote-data.ts';
import { Dialog } from '../../parts/dialog.ts';
import { session } from '../../shell/page-context.ts';
import { formStyles } from '../../styles/form-styles.ts';
import { shared } from '../../styles/shared.ts';
import { msg, str } from '../../words/words.ts';
import { readCatalog } from '../requests.ts';
import type { Catalog } from '../state/catalog.ts';
import type { Source } from '../state/draft.ts';
import {
  type DownDraft,
  type DrillDraft,
  downChoices,
  draftOfDrill,
  drillOfDraft,
  rowChoices,
  type ShownDimension,
  shownDimensions,
  type Way,
} from './drill-draft.ts';
import './field-list.ts';

/** Fields of one way down, and of rows, at most; documents have the same limits. */
const MAX_STEPS = 20;
const MAX_ROW_FIELDS = 30;

/** What the form asks about. */
export interface DrillSubject {
  /** Title of the tile or the query. */
  readonly name: string;
  /** The member `drill` of its document. */
  readonly drill: unknown;
  /** Reads the whole answer, and the model or cube that gives it. */
  readonly read: (signal: AbortSignal) => Promise<{ readonly answer: unknown; readonly source: Source }>;
  /** Takes the member `drill`; undefined removes it. */
  readonly apply: (drill: JsonObject | undefined) => void;
}

interface Offer {
  readonly shown: readonly ShownDimension[];
  readonly catalog: Catalog;
}

/** Asks what a click in a tile or a saved query leads to in embeds. `ask(subject)` opens it. */
export class DrillDialog extends LitElement {
  static override properties = { subject: { state: true }, draft: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      .form { display: grid; gap: 20px; }
      fieldset { display: grid; gap: 8px; }
      legend { margin-bottom: 6px; font-weight: 600; }
      .bone { height: 40px; }
      .acts { display: flex; justify-content: flex-end; gap: 8px; }
    `,
  ];

  declare subject: DrillSubject | undefined;
  declare draft: DrillDraft | undefined;
  readonly #offer = new RemoteData<Offer>(this);

  constructor() {
    super();
    this.subject = undefined;
    this.draft = undefined;
  }

  async ask(subject: DrillSubject): Promise<void> {
    this.subject = subject;
    this.draft = undefined;
    void this.#offer.read((signal) => readOffer(subject, signal));
    await this.updateComplete;
    await this.#dialog?.open();
  }

  get #dialog(): Dialog | undefined {
    const dialog = this.renderRoot.querySelector('ui-dialog');
    return dialog instanceof Dialog ? dialog : undefined;
  }

  protected override willUpdate(): void {
    const { state } = this.#offer;
    if (this.subject !== undefined && this.draft === undefined && state.status === 'ready' && !this.#offer.isBusy)
      this.draft = draftOfDrill(this.subject.drill, state.value.shown);
  }

  #close(): void {
    this.#dialog?.close();
  }

  #apply(): void {
    const { subject, draft } = this;
    if (subject !== undefined && draft !== undefined) subject.apply(drillOfDraft(draft));
    this.#close();
  }

  #change(members: Partial<DrillDraft>): void {
    if (this.draft !== undefined) this.draft = { ...this.draft, ...members };
  }

  #changeDown(field: string, members: Partial<DownDraft>): void {
    const down = this.draft?.down.map((each) => (each.field === field ? { ...each, ...members } : each));
    if (down !== undefined) this.#change({ down });
  }

  protected override render() {
    const { subject } = this;
    const name = subject?.name ?? '';
    return html`<ui-dialog heading=${msg(str`Clicks in ${name}`)} @closed=${() => (this.subject = undefined)}>
      ${subject === undefined ? nothing : this.#body()}
      <div class="acts" slot="acts">
        <button class="button" type="button" @click=${this.#close}>${msg('Cancel')}</button>
        <button class="button primary" type="button" ?disabled=${this.draft === undefined} @click=${this.#apply}>${msg('Apply')}</button>
      </div>
    </ui-dialog>`;
  }

  #body() {
    const { state } = this.#offer;
    const { draft } = this;
    if (state.status === 'failed') return html`<p class="wrong" role="alert">${state.message}</p>`;
    if (state.status !== 'ready' || draft === undefined)
      return html`<div class="form" aria-busy="true"><div class="bone"></div><div class="bone"></div></div>`;
    const { shown, catalog } = state.value;
    return html`<div class="form">
      <p class="hint">${msg('In embeds whose page sets “drill”. Readers see only what their rights allow.')}</p>
      ${shown.map((dimension) => this.#down(dimension, draft, catalog))}
      <fieldset>
        <legend>${msg('Rows behind a figure')}</legend>
        <select class="input" aria-label=${msg('Rows behind a figure')} @change=${({ currentTarget }: Event) => this.#change({ rows: choiceOf(currentTarget, ['none', 'all', 'list']) })}>
          ${options(draft.rows, [
            ['none', msg('Not shown')],
            ['all', msg('With the fields that the model allows')],
            ['list', msg('With these fields')],
          ])}
        </select>
        ${
          draft.rows === 'list'
            ? html`<ui-field-list label=${msg('Rows behind a figure')} .keys=${draft.fields} .choices=${rowChoices(catalog)} .max=${MAX_ROW_FIELDS}
                @changed=${({ detail }: CustomEvent<readonly string[]>) => this.#change({ fields: detail })}></ui-field-list>`
            : nothing
        }
      </fieldset>
    </div>`;
  }

  #down({ key, label, finer }: ShownDimension, { down }: DrillDraft, catalog: Catalog) {
    const path = down.find(({ field }) => field === key);
    if (path === undefined) return nothing;
    const words = msg(str`From ${label} down`);
    const ways: readonly (readonly [Way, string])[] = [
      ['none', msg('Nowhere')],
      ...(finer === undefined && path.way !== 'finer'
        ? []
        : [
            [
              'finer',
              finer === 'levels'
                ? msg('To the levels below, one after the other')
                : msg('To finer periods, one after the other'),
            ] as const,
          ]),
      ['list', msg('Along these fields')],
    ];
    return html`<fieldset>
      <legend>${words}</legend>
      <select class="input" aria-label=${words} @change=${({ currentTarget }: Event) => this.#changeDown(key, { way: choiceOf(currentTarget, ['none', 'finer', 'list']) })}>${options(path.way, ways)}</select>
      ${
        path.way === 'list'
          ? html`<ui-field-list label=${words} .keys=${path.to} .choices=${downChoices(catalog).filter((each) => each.key !== key)} .max=${MAX_STEPS}
              @changed=${({ detail }: CustomEvent<readonly string[]>) => this.#changeDown(key, { to: detail })}></ui-field-list>`
          : nothing
      }
    </fieldset>`;
  }
}

function options<Value extends string>(chosen: Value, all: readonly (readonly [Value, string])[]) {
  return all.map(([value, title]) => html`<option value=${value} .selected=${value === chosen}>${title}</option>`);
}

/** Returns the chosen one of some values. */
function choiceOf<Value extends string>(control: EventTarget | null, values: readonly [Value, ...Value[]]): Value {
  const chosen = control instanceof HTMLSelectElement ? control.value : '';
  return values.find((value) => value === chosen) ?? values[0];
}

/** Reads what the form offers: the dimensions of the answer, and the fields of its model or cube. */
async function readOffer({ read }: DrillSubject, signal: AbortSignal): Promise<Offer> {
  const { answer, source } = await read(signal);
  const catalog = await readCatalog(session.client, source, signal);
  return { shown: shownDimensions(answer, catalog), catalog };
}

customElements.define('ui-drill-dialog', DrillDialog);
