/** Values of models in words. */
import { language, msg, str } from '../words/words.ts';
import type { Edit, PropertyName, Target, TargetKind } from './draft.ts';
import { nameOf } from './draft.ts';
import type { FieldElement } from './model-document.ts';

const number = new Intl.NumberFormat(language);

export function count(value: number, one: string, many: string): string {
  return `${number.format(value)} ${value === 1 ? one : many}`;
}

export function numberText(value: number): string {
  return number.format(value);
}

/** Returns the type of a field in a word. */
export function typeWord({ valueType, personal, type }: Pick<FieldElement, 'valueType' | 'personal' | 'type'>): string {
  switch (valueType) {
    case 'text':
      return msg('text');
    case 'integer':
      return msg('whole number');
    case 'decimal':
    case 'float':
      return msg('number');
    case 'boolean':
      return msg('yes or no');
    case 'date':
      return msg('date');
    case 'time':
      return msg('time of day');
    case 'timestamp':
    case 'timestamptz':
      return msg('date and time');
    case undefined:
      return personal ? msg('personal') : msg('not usable');
    default:
      return type ?? valueType;
  }
}

/** Returns who may see an element, in words. */
export function seenBy({
  allow,
  deny,
  personal = false,
}: {
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[];
  readonly personal?: boolean;
}): string {
  if (personal) return msg('nobody: personal');
  const only = allow?.map(roleWord).join(', ');
  const not = deny.map(roleWord).join(', ');
  if (only !== undefined && not !== '') return msg(str`only ${only}, not ${not}`);
  if (only !== undefined) return msg(str`only ${only}`);
  return not === '' ? msg('everybody') : msg(str`not ${not}`);
}

/** Writes a role as a word: `ROLE_SALES_TEAM` is "Sales team". */
export function roleWord(role: string): string {
  if (role === '*') return msg('everybody else');
  if (role === 'ROLE_ADMIN') return msg('Administrators');
  const words = role
    .replace(/^ROLE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function kindWord(kind: TargetKind): string {
  switch (kind) {
    case 'model':
      return msg('model');
    case 'dataset':
      return msg('dataset');
    case 'field':
      return msg('field');
    case 'metric':
      return msg('metric');
    case 'relationship':
      return msg('relationship');
  }
}

function propertyWord(property: PropertyName): string {
  switch (property) {
    case 'label':
      return msg('label');
    case 'description':
      return msg('description');
    case 'synonyms':
      return msg('other names');
    case 'instructions':
      return msg('notes for agents');
    case 'format':
      return msg('format');
    case 'unit':
      return msg('unit');
    case 'hidden':
      return msg('hidden mark');
    case 'personal':
      return msg('personal mark');
    case 'expression':
      return msg('formula');
    case 'filter':
      return msg('filter');
    case 'allow':
      return msg('allowed roles');
    case 'deny':
      return msg('refused roles');
    case 'rowPredicates':
      return msg('visible rows');
    case 'mainDate':
      return msg('main date');
    case 'from':
    case 'to':
      return msg('ends');
    case 'fromColumns':
    case 'toColumns':
      return msg('columns');
  }
}

/** Describes an edit in a sentence. */
export function editSentence(edit: Edit): string {
  switch (edit.op) {
    case 'set': {
      const what = propertyWord(edit.property);
      const name = targetWords(edit.on);
      return edit.value === null ? msg(str`Remove the ${what} of ${name}`) : msg(str`Change the ${what} of ${name}`);
    }
    case 'rename':
      return msg(str`Rename ${targetWords(edit.on)} to ${edit.name}`);
    case 'remove':
      return msg(str`Remove ${targetWords(edit.on)}`);
    case 'add-metric':
      return msg(str`Add the metric ${edit.name}`);
    case 'add-relationship':
      return msg(str`Add the relationship ${edit.name}`);
  }
}

function targetWords(on: Target): string {
  return on.kind === 'model' ? msg('the model') : `${kindWord(on.kind)} ${nameOf(on)}`;
}

/** Writes the latest value of a date without the time of midnight. */
export function dateText(value: string): string {
  return value.replace(/[T ]00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ');
}
