/** Fields of forms that set the properties of an element of the model. */

import { html, nothing, type TemplateResult } from 'lit';
import { msg } from '../words/words.ts';
import type { EditValue, PropertyName, Target } from './draft.ts';
import type { ModelProblem } from './model-document.ts';
import type { ModelStore } from './store.ts';

interface PropertyField {
  readonly store: ModelStore;
  readonly on: Target;
  readonly property: PropertyName;
  readonly label: string;
  readonly hint?: string;
  readonly isWide?: boolean;
}

function set({ store, on, property }: PropertyField, value: EditValue): void {
  store.edit({ op: 'set', on, property, value });
}

function frame({ label, hint, isWide }: PropertyField, control: TemplateResult): TemplateResult {
  return html`<label class=${isWide === true ? 'field wide' : 'field'}><span>${label}</span>${control}${hint === undefined ? nothing : html`<span class="hint">${hint}</span>`}</label>`;
}

function typedText(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
    ? target.value.trim()
    : '';
}

/** Edits a text of one line. Empty removes the property. */
export function textField(
  field: PropertyField,
  value: string | undefined,
  {
    isCode = false,
    list,
    onInput,
  }: { readonly isCode?: boolean; readonly list?: string; readonly onInput?: (text: string) => void } = {},
): TemplateResult {
  const change = (event: Event) => {
    const text = typedText(event);
    if (text !== (value ?? '')) set(field, text === '' ? null : text);
  };
  return frame(
    field,
    html`<input class=${isCode ? 'input code' : 'input'} type="text" autocomplete="off" spellcheck=${isCode ? 'false' : nothing} list=${list ?? nothing}
      name=${field.property} .value=${value ?? ''} ?readonly=${!field.store.canEdit} @change=${change} @input=${(event: Event) => onInput?.(typedText(event))} />`,
  );
}

/** Edits a text of several lines. */
export function longField(field: PropertyField, value: string | undefined): TemplateResult {
  const change = (event: Event) => {
    const text = typedText(event);
    if (text !== (value ?? '')) set(field, text === '' ? null : text);
  };
  return frame(
    { isWide: true, ...field },
    html`<textarea class="input" rows="2" name=${field.property} .value=${value ?? ''} ?readonly=${!field.store.canEdit} @change=${change}></textarea>`,
  );
}

/** Edits a list, written with commas. */
export function listField(field: PropertyField, value: readonly string[] | undefined): TemplateResult {
  const text = (value ?? []).join(', ');
  const change = (event: Event) => {
    const next = splitList(typedText(event));
    if (next.join(', ') !== text) set(field, next.length === 0 ? null : next);
  };
  return frame(
    field,
    html`<input class="input" type="text" autocomplete="off" name=${field.property} .value=${text} ?readonly=${!field.store.canEdit} @change=${change} />`,
  );
}

export function splitList(text: string): readonly string[] {
  const pieces = text.split(',').map((piece) => piece.trim());
  return [...new Set(pieces.filter((piece) => piece !== ''))];
}

export function switchField(field: PropertyField, isOn: boolean): TemplateResult {
  const change = (event: Event) => {
    if (event.target instanceof HTMLInputElement) set(field, event.target.checked ? true : null);
  };
  return html`<label class="check"><input type="checkbox" name=${field.property} .checked=${isOn} ?disabled=${!field.store.canEdit} @change=${change} />${field.label}</label>`;
}

export function selectField(
  field: PropertyField,
  value: string | undefined,
  options: readonly { readonly value: string; readonly text: string }[],
): TemplateResult {
  const change = (event: Event) => {
    const next = typedText(event);
    set(field, next === '' ? null : next);
  };
  return frame(
    field,
    html`<select class="input" name=${field.property} ?disabled=${!field.store.canEdit} @change=${change}>
      ${options.map((option) => html`<option value=${option.value} ?selected=${option.value === (value ?? '')}>${option.text}</option>`)}
    </select>`,
  );
}

/** Shows the problems of an element above its form. */
export function problemList(problems: readonly ModelProblem[]): TemplateResult | typeof nothing {
  if (problems.length === 0) return nothing;
  return html`<ul class="problems" aria-label=${msg('Problems')}>
    ${problems.map(({ severity, message }) => html`<li class="problem ${severity}"><p>${message}</p></li>`)}
  </ul>`;
}
