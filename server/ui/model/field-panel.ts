import { html, LitElement, nothing } from 'lit';
import { documentAddress } from '../documents/document-address.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import type { Target } from './draft.ts';
import './element-actions.ts';
import type { DatasetElement, FieldElement } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { problemsOf } from './problems.ts';
import { listField, longField, problemList, switchField, textField } from './property-fields.ts';
import type { ModelUse } from './requests.ts';
import { type ModelStore, StoreController } from './store.ts';
import { numberText, seenBy, typeWord } from './words.ts';

/** Everything about one field. Fires `picked` with its new name after a renaming. */
export class FieldPanel extends LitElement {
  static override properties = {
    store: { attribute: false },
    owner: { attribute: false },
    field: { attribute: false },
  };
  static override styles = [shared, formStyles, modelStyles];

  declare store: ModelStore;
  declare owner: DatasetElement;
  declare field: FieldElement;

  constructor() {
    super();
    new StoreController(this, () => this.store);
  }

  #about() {
    const facts = this.store.facts?.get(this.owner.name)?.fields.get(this.field.name);
    const samples = facts?.samples.filter((sample) => sample !== '') ?? [];
    return html`<p class="note">${typeWord(this.field)}${this.field.type === undefined ? '' : ` (${this.field.type})`} · ${msg(str`seen by ${seenBy(this.field)}`)}${facts?.distinct === undefined ? '' : ` · ${msg(str`about ${numberText(facts.distinct)} different values`)}`}</p>
      ${samples.length === 0 ? nothing : html`<p class="note">${msg(str`Such as ${samples.join(', ')}`)}</p>`}`;
  }

  protected override render() {
    const { store, field, owner: dataset } = this;
    const on: Target = { kind: 'field', dataset: dataset.name, name: field.name };
    const name = `${dataset.name}.${field.name}`;
    return html`<section class="card stack" aria-labelledby="title">
      <div class="row spread"><h3 id="title">${field.label ?? field.name} <span class="note"><code>${name}</code></span></h3>
        <ui-element-actions .store=${store} .on=${on} .taken=${dataset.fields.map((each) => each.name)} canRemove
          @renamed=${(event: CustomEvent<string>) => this.dispatchEvent(new CustomEvent('picked', { detail: event.detail }))}></ui-element-actions></div>
      ${this.#about()}
      ${problemList(problemsOf(store.saved.problems, on))}
      <div class="form">
        ${textField({ store, on, property: 'label', label: msg('Label') }, field.label)}
        ${listField({ store, on, property: 'synonyms', label: msg('Other names'), hint: msg('Separated by commas') }, field.synonyms)}
        ${textField({ store, on, property: 'format', label: msg('Format'), hint: msg('Such as #,##0.00') }, field.format, { isCode: true })}
        ${textField({ store, on, property: 'unit', label: msg('Unit') }, field.unit)}
        ${longField({ store, on, property: 'description', label: msg('Description') }, field.description)}
        ${textField({ store, on, property: 'expression', label: msg('Formula'), hint: msg('SQL over the columns of its table'), isWide: true }, field.expression, { isCode: true })}
        ${listField({ store, on, property: 'allow', label: msg('Only these roles see it'), hint: msg('Empty: everybody') }, field.allow)}
        ${listField({ store, on, property: 'deny', label: msg('These roles never see it') }, field.deny)}
        ${longField({ store, on, property: 'instructions', label: msg('Notes for agents') }, field.instructions)}
        ${switchField({ store, on, property: 'personal', label: msg('Personal data: in no answer') }, field.personal)}
        ${switchField({ store, on, property: 'hidden', label: msg('Left out of lists, may still be asked') }, field.hidden)}
      </div>
      ${usesList(store.uses, name)}
    </section>`;
  }
}

/** Lists the documents that name an element. */
export function usesList(uses: readonly ModelUse[] | undefined, name: string) {
  const naming = uses?.filter(({ names }) => names.includes(name));
  if (naming === undefined) return nothing;
  if (naming.length === 0) return html`<p class="note">${msg('No saved query or tile names it.')}</p>`;
  return html`<details><summary>${naming.length === 1 ? msg('Named by 1 saved query or tile') : msg(str`Named by ${naming.length} saved queries and tiles`)}</summary>
    <ul class="tight">${naming.map(({ path, title, tile }) => html`<li><a href=${documentAddress(path)}>${title}</a>${tile === undefined ? nothing : html` <span class="note">${msg(str`tile in ${path.split('/').at(-1) ?? path}`)}</span>`}</li>`)}</ul></details>`;
}

customElements.define('ui-field-panel', FieldPanel);
