/** Decides whether a column contains personal data, by its name and by its values. Pure. */
import {
  PERSON_WORDS,
  type PersonalVerdict,
  personalByName,
  personalByValues,
  type ValueType,
} from '../../personal-data/index.ts';
import { type ColumnView, comparisonKind } from './column-views.ts';

/** Returns the reason why a column contains personal data and is hidden, or `undefined`. */
export function personalReason(view: ColumnView): string | undefined {
  const { column } = view;
  if (column.personal === true) return 'A served model of the warehouse marks it.';
  const verdict = nameVerdict(view);
  if (verdict?.identifies === true) return `By its name it holds ${verdict.content} (${verdict.words}).`;
  const texts = column.sampleValues.filter((value) => typeof value === 'string');
  const content = personalByValues(texts, verdict?.kind === 'person');
  return content === undefined ? undefined : `Its values look like ${content}.`;
}

/** Returns the personal facts that a column may contain although no value identifies a person: an age, a gender, a salary. */
export function sensitiveContent(view: ColumnView): string | undefined {
  return personalReason(view) === undefined ? nameVerdict(view)?.content : undefined;
}

/** Returns whether a column may name persons: it is personal, or its name contains a person or only the word for a name. */
export function mayNamePersons(view: ColumnView): boolean {
  return (
    personalReason(view) !== undefined ||
    view.words.some((word) => word === 'name' || word === 'vorname' || PERSON_WORDS.has(word))
  );
}

function nameVerdict(view: ColumnView): PersonalVerdict | undefined {
  return personalByName({ words: view.words, context: view.table.words, type: valueTypeOf(view) });
}

function valueTypeOf(view: ColumnView): ValueType {
  if (view.family === 'boolean') return 'flag';
  if (view.family === 'integer' || comparisonKind(view) === 'uuid') return 'key';
  return view.family === 'text' ? 'text' : 'other';
}
