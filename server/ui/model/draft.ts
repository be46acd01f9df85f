/** The unsaved changes of a model, which can be undone and done again. Each change returns a new draft. */

export type TargetKind = 'model' | 'dataset' | 'field' | 'metric' | 'relationship';

/** The element that an edit changes. */
export interface Target {
  readonly kind: TargetKind;
  /** Of a field: its dataset. */
  readonly dataset?: string;
  /** Left out for the model. */
  readonly name?: string;
}

export type PropertyName =
  | 'label'
  | 'description'
  | 'synonyms'
  | 'instructions'
  | 'format'
  | 'unit'
  | 'hidden'
  | 'personal'
  | 'expression'
  | 'filter'
  | 'allow'
  | 'deny'
  | 'rowPredicates'
  | 'mainDate'
  | 'from'
  | 'to'
  | 'fromColumns'
  | 'toColumns';

/** The value of a property; null removes it. */
export type EditValue = string | boolean | null | readonly string[] | Readonly<Record<string, string>>;

export type Edit =
  | { readonly op: 'set'; readonly on: Target; readonly property: PropertyName; readonly value: EditValue }
  | { readonly op: 'rename'; readonly on: Target; readonly name: string }
  | { readonly op: 'remove'; readonly on: Target }
  | { readonly op: 'add-metric'; readonly name: string; readonly expression: string; readonly label?: string }
  | {
      readonly op: 'add-relationship';
      readonly name: string;
      readonly from: string;
      readonly to: string;
      readonly fromColumns: readonly string[];
      readonly toColumns: readonly string[];
    };

/** The most edits that the server takes at once. */
export const MAX_EDITS = 100;

export interface Draft {
  readonly edits: readonly Edit[];
  /** Edits that were undone, the last first. */
  readonly undone: readonly Edit[];
}

export const EMPTY_DRAFT: Draft = { edits: [], undone: [] };

/** Adds an edit. A property that is set twice in a row is one change. */
export function withEdit({ edits }: Draft, edit: Edit): Draft {
  const last = edits.at(-1);
  const isAgain = last?.op === 'set' && edit.op === 'set' && keyOf(last) === keyOf(edit);
  return { edits: [...(isAgain ? edits.slice(0, -1) : edits), edit], undone: [] };
}

function keyOf({ on: { kind, dataset, name }, property }: Extract<Edit, { op: 'set' }>): string {
  return JSON.stringify([kind, dataset, name, property]);
}

export function undone({ edits, undone: former }: Draft): Draft {
  const last = edits.at(-1);
  return last === undefined ? { edits, undone: former } : { edits: edits.slice(0, -1), undone: [last, ...former] };
}

export function redone({ edits, undone: former }: Draft): Draft {
  const [next, ...rest] = former;
  return next === undefined ? { edits, undone: former } : { edits: [...edits, next], undone: rest };
}

/** Removes one edit, such as one that no longer fits the document. */
export function withoutEdit({ edits }: Draft, index: number): Draft {
  return { edits: edits.filter((_, place) => place !== index), undone: [] };
}

/** Returns the name of a target for people: `sales.date`, `net_sales`; empty for the model. */
export function nameOf({ dataset, name = '' }: Target): string {
  return dataset === undefined ? name : `${dataset}.${name}`;
}

/** Returns whether a draft renames something. */
export function hasRenaming({ edits }: Draft): boolean {
  return edits.some(({ op }) => op === 'rename');
}
