import { css, html, LitElement, nothing } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import type { Target } from './draft.ts';
import type { ModelDocument } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { type ModelStore, StoreController } from './store.ts';
import { roleWord, seenBy } from './words.ts';

/** Who sees an element by its own rule: administrators and all others are bound by it alike. */
interface Ruled {
  readonly on: Target;
  readonly name: string;
  readonly title: string;
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
  readonly personal: boolean;
}

/** Who may see which elements and which rows: in words, as a matrix of roles and elements, and as conditions on rows. */
export class AccessTab extends LitElement {
  static override properties = {
    store: { attribute: false },
    sought: { state: true },
    isAll: { state: true },
    newRole: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`
      .matrix { max-height: 60vh; overflow: auto; }
      .matrix th, .matrix td { padding: 4px 12px; white-space: nowrap; }
      .matrix thead th { position: sticky; top: 0; z-index: 1; background: var(--paper); }
      .matrix tbody th { font-family: var(--code); font-size: 13px; }
      .matrix td { text-align: center; }
      .matrix input { width: 18px; height: 18px; margin: 4px; accent-color: var(--accent); }
      .bar .input { width: 240px; }
      .predicate { display: grid; grid-template-columns: minmax(120px, 200px) minmax(0, 1fr) auto; gap: 8px; align-items: end; }
      @media (max-width: 560px) { .predicate { grid-template-columns: minmax(0, 1fr); } }
    `,
  ];

  declare store: ModelStore;
  declare sought: string;
  /** True to list elements without a rule, too. */
  declare isAll: boolean;
  /** A role that was added to the matrix and that no rule names yet. */
  declare newRole: string;

  constructor() {
    super();
    this.sought = '';
    this.isAll = false;
    this.newRole = '';
    new StoreController(this, () => this.store);
  }

  /** In words: what each role cannot see, and which rows it sees. */
  #words(model: ModelDocument, roles: readonly string[], elements: readonly Ruled[]) {
    const personal = elements.filter((element) => element.personal).length;
    return html`<ul class="tight">
      ${personal === 0 ? nothing : html`<li>${msg(str`Nobody sees ${personal} personal fields: they are in no answer.`)}</li>`}
      ${
        roles.length === 0
          ? html`<li>${msg('Everybody who may use this service sees all other fields, all metrics and all rows.')}</li>`
          : roles.map((role) => {
              const hidden = elements
                .filter((element) => !element.personal && !sees(element, role))
                .map(({ title }) => title);
              const rows = model.datasets
                .filter(({ rowPredicates }) => role in rowPredicates)
                .map(({ name, rowPredicates }) => `${name}: ${rowPredicates[role]}`);
              const parts = [
                hidden.length === 0 ? msg('sees every field and metric') : msg(str`does not see ${shortList(hidden)}`),
                ...(rows.length === 0 ? [] : [msg(str`sees only rows with ${rows.join('; ')}`)]),
              ];
              return html`<li><strong>${roleWord(role)}</strong> ${parts.join('; ')}.</li>`;
            })
      }
    </ul>`;
  }

  #toggle({ on, allow, deny }: Ruled, role: string, isSeen: boolean): void {
    const without = deny.filter((each) => each !== role);
    if (isSeen) {
      // A role is seen again by leaving the refusals and, where there is a list of the allowed, by being on it.
      if (without.length !== deny.length)
        this.store.edit({ op: 'set', on, property: 'deny', value: without.length === 0 ? null : without });
      if (allow !== undefined && !allow.includes(role))
        this.store.edit({ op: 'set', on, property: 'allow', value: [...allow, role] });
    } else if (allow?.includes(role) && allow.length > 1) {
      this.store.edit({ op: 'set', on, property: 'allow', value: allow.filter((each) => each !== role) });
    } else this.store.edit({ op: 'set', on, property: 'deny', value: [...without, role] });
  }

  #matrix(roles: readonly string[], elements: readonly Ruled[]) {
    const sought = this.sought.trim().toLowerCase();
    const shown = elements.filter(
      (element) =>
        !element.personal &&
        (this.isAll || element.allow !== undefined || element.deny.length > 0) &&
        [element.name, element.title].some((text) => text.toLowerCase().includes(sought)),
    );
    if (roles.length === 0) return html`<p class="note">${msg('Add a role to hide fields and metrics from it.')}</p>`;
    if (shown.length === 0)
      return html`<p class="note">${this.isAll ? msg('No field and no metric has this name.') : msg('No field and no metric has a rule of its own. Show all to give one.')}</p>`;
    return html`<div class="matrix" tabindex="0" role="region" aria-label=${msg('Who sees what')}><table>
      <thead><tr><th>${msg('Field or metric')}</th>${roles.map((role) => html`<th>${roleWord(role)}</th>`)}<th>${msg('In words')}</th></tr></thead>
      <tbody>${shown.map(
        (element) => html`<tr><th scope="row">${element.name}</th>
        ${roles.map(
          (
            role,
          ) => html`<td><input type="checkbox" aria-label=${msg(str`${roleWord(role)} sees ${element.name}`)} .checked=${sees(element, role)} ?disabled=${!this.store.canEdit}
          @change=${(event: Event) => event.target instanceof HTMLInputElement && this.#toggle(element, role, event.target.checked)} /></td>`,
        )}
        <td>${seenBy(element)}</td></tr>`,
      )}</tbody></table></div>`;
  }

  #setPredicate(dataset: ModelDocument['datasets'][number], role: string, condition: string): void {
    const { [role]: _, ...others } = dataset.rowPredicates;
    const value = condition.trim() === '' ? others : { ...others, [role]: condition.trim() };
    const on: Target = { kind: 'dataset', name: dataset.name };
    this.store.edit({
      op: 'set',
      on,
      property: 'rowPredicates',
      value: Object.keys(value).length === 0 ? null : value,
    });
  }

  #addPredicate(event: Event): void {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    const dataset = this.store.document.datasets.find(({ name }) => name === data.get('dataset'));
    const role = String(data.get('role') ?? '').trim();
    const condition = String(data.get('condition') ?? '').trim();
    if (dataset === undefined || role === '' || condition === '') return;
    this.#setPredicate(dataset, role, condition);
    form.reset();
  }

  #rows(model: ModelDocument) {
    const rules = model.datasets.flatMap((dataset) =>
      Object.entries(dataset.rowPredicates).map(([role, condition]) => ({ dataset, role, condition })),
    );
    const { canEdit } = this.store;
    return html`<div class="stack">
      ${rules.length === 0 ? html`<p class="note">${msg('Every role sees all rows.')}</p>` : nothing}
      ${rules.map(
        ({
          dataset,
          role,
          condition,
        }) => html`<div class="predicate"><p><strong>${roleWord(role)}</strong><br /><span class="note">${msg(str`sees rows of ${dataset.name} with`)}</span></p>
          <label class="field"><span class="visually-hidden">${msg(str`Condition on ${dataset.name} for ${roleWord(role)}`)}</span><input class="input code" .value=${condition} ?readonly=${!canEdit} @change=${(
            event: Event,
          ) => {
            if (event.target instanceof HTMLInputElement && event.target.value.trim() !== '')
              this.#setPredicate(dataset, role, event.target.value);
          }} /></label>
          ${canEdit ? html`<button class="button" type="button" @click=${() => this.#setPredicate(dataset, role, '')}>${msg('Remove')}<span class="visually-hidden">${msg(str` the condition on ${dataset.name} for ${roleWord(role)}`)}</span></button>` : nothing}</div>`,
      )}
      ${
        canEdit
          ? html`<form class="form" @submit=${this.#addPredicate}>
            <label class="field"><span>${msg('Rows of')}</span><select class="input" name="dataset">${model.datasets.map(({ name }) => html`<option>${name}</option>`)}</select></label>
            <label class="field"><span>${msg('Role')}</span><input class="input code" name="role" autocomplete="off" placeholder="ROLE_…" required /><span class="hint">${msg('* for everybody without another condition')}</span></label>
            <label class="field wide"><span>${msg('sees only rows with')}</span><input class="input code" name="condition" autocomplete="off" placeholder="country = 'DE'" required /></label>
            <div><button class="button" type="submit">${msg('Add condition')}</button></div></form>`
          : nothing
      }</div>`;
  }

  protected override render() {
    const { document: model, canEdit } = this.store;
    const elements = ruledElements(model);
    const named = rolesOf(model, elements);
    const roles = this.newRole === '' || named.includes(this.newRole) ? named : [...named, this.newRole];
    return html`<div class="stack">
      <section class="card tight"><h2>${msg('In words')}</h2>${this.#words(model, named, elements)}
        <p class="note">${msg('People with several roles see what one of them may see, and nothing that one of them is refused.')}</p></section>
      <section class="card stack"><h2>${msg('Fields and metrics')}</h2>
        <div class="row bar">
          <input class="input" type="search" aria-label=${msg('Filter fields and metrics')} placeholder=${msg('Filter fields and metrics')} @input=${(
            event: Event,
          ) => {
            if (event.target instanceof HTMLInputElement) this.sought = event.target.value;
          }} />
          <label class="check"><input type="checkbox" .checked=${this.isAll} @change=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) this.isAll = event.target.checked;
          }} />${msg('Show all, also without a rule')}</label>
          ${
            canEdit
              ? html`<form class="row" @submit=${(event: Event) => {
                  event.preventDefault();
                  if (event.target instanceof HTMLFormElement)
                    this.newRole = String(new FormData(event.target).get('role') ?? '').trim();
                }}><input class="input code" name="role" autocomplete="off" placeholder="ROLE_…" aria-label=${msg('Another role')} /><button class="button" type="submit">${msg('Add role')}</button></form>`
              : nothing
          }</div>
        ${this.#matrix(
          roles.filter((role) => role !== '*'),
          elements,
        )}</section>
      <section class="card stack"><h2>${msg('Rows')}</h2>${this.#rows(model)}</section></div>`;
  }
}

function ruledElements({ datasets, metrics }: ModelDocument): readonly Ruled[] {
  return [
    ...datasets.flatMap((dataset) =>
      dataset.fields.map((field) => {
        const on: Target = { kind: 'field', dataset: dataset.name, name: field.name };
        const { label = field.name, allow, deny, personal } = field;
        return { on, name: `${dataset.name}.${field.name}`, title: label, allow, deny, personal };
      }),
    ),
    ...metrics.map(({ name, label = name, allow, deny }) => {
      const on: Target = { kind: 'metric', name };
      return { on, name, title: label, allow, deny, personal: false };
    }),
  ];
}

/** Lists the roles that rules name. */
function rolesOf({ datasets }: ModelDocument, elements: readonly Ruled[]): readonly string[] {
  const named = [
    ...elements.flatMap(({ allow = [], deny }) => [...allow, ...deny]),
    ...datasets.flatMap(({ rowPredicates }) => Object.keys(rowPredicates)),
  ];
  return [...new Set(named)].sort();
}

function sees({ allow, deny, personal }: Ruled, role: string): boolean {
  return !personal && !deny.includes(role) && (allow === undefined || allow.includes(role));
}

/** Lists a few names: "Cost, Margin and 12 others". */
function shortList(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return msg(str`${names.slice(0, 3).join(', ')} and ${names.length - 3} others`);
}

customElements.define('ui-model-access', AccessTab);
