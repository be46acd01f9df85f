/** The columns of the grid of fields, and how its rows are filtered and sorted. */
import { language, msg } from '../words/words.ts';
import type { EditValue, PropertyName } from './draft.ts';
import type { FieldElement } from './model-document.ts';
import { splitList } from './property-fields.ts';
import type { DatasetFacts } from './requests.ts';
import { seenBy, typeWord } from './words.ts';

export interface GridColumn {
  readonly key: string;
  readonly title: () => string;
  /** Shows a field in the column. */
  readonly text: (field: FieldElement, facts: DatasetFacts | undefined) => string;
  /** The property that the column edits as text; absent where it shows only. */
  readonly edits?: PropertyName;
  /** Reads the property from what was typed. */
  readonly read?: (typed: string) => EditValue;
}

const textOrNone = (typed: string): EditValue => (typed === '' ? null : typed);
const listOrNone = (typed: string): EditValue => (typed === '' ? null : splitList(typed));

export const GRID_COLUMNS: readonly GridColumn[] = [
  { key: 'name', title: () => msg('Field'), text: ({ name }) => name },
  { key: 'label', title: () => msg('Label'), text: ({ label }) => label ?? '', edits: 'label', read: textOrNone },
  {
    key: 'description',
    title: () => msg('Description'),
    text: ({ description }) => description ?? '',
    edits: 'description',
    read: textOrNone,
  },
  { key: 'type', title: () => msg('Type'), text: typeWord },
  { key: 'format', title: () => msg('Format'), text: ({ format }) => format ?? '', edits: 'format', read: textOrNone },
  {
    key: 'synonyms',
    title: () => msg('Other names'),
    text: ({ synonyms }) => synonyms.join(', '),
    edits: 'synonyms',
    read: listOrNone,
  },
  { key: 'personal', title: () => msg('Personal'), text: ({ personal }) => (personal ? msg('yes') : '') },
  { key: 'seen', title: () => msg('Seen by'), text: seenBy },
  {
    key: 'samples',
    title: () => msg('Samples'),
    text: ({ name }, facts) => facts?.fields.get(name)?.samples.slice(0, 5).join(', ') ?? '',
  },
];

export interface GridOrder {
  /** The key of a column; empty for the order of the document. */
  readonly by: string;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });

/** Returns the fields with a text in any column, in an order. Empty texts come last. */
export function shownFields(
  fields: readonly FieldElement[],
  facts: DatasetFacts | undefined,
  { filter, order }: { readonly filter: string; readonly order: GridOrder },
): readonly FieldElement[] {
  const sought = filter.trim().toLowerCase();
  const passing =
    sought === ''
      ? fields
      : fields.filter((field) => GRID_COLUMNS.some(({ text }) => text(field, facts).toLowerCase().includes(sought)));
  const column = GRID_COLUMNS.find(({ key }) => key === order.by);
  if (column === undefined) return passing;
  const sign = order.isDescending ? -1 : 1;
  return passing
    .map((field) => ({ field, text: column.text(field, facts) }))
    .toSorted((a, b) => {
      if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '');
      return sign * collator.compare(a.text, b.text);
    })
    .map(({ field }) => field);
}
