import { isDeepStrictEqual } from 'node:util';
import { personalByText } from '../../personal-data/index.ts';
import type { Problems } from '../model/problems.ts';
import type { Draft, DraftDataset, DraftField } from '../model/read-draft.ts';
import { leavesOf } from '../model/template.ts';

/** Reports fields with names that look like personal data and that the author has neither marked nor cleared. */
export function unmarkedPersonalData({ datasets }: Draft, problems: Problems): void {
  for (const dataset of datasets) {
    const sameRows = datasets.filter(({ source }) => isDeepStrictEqual(source, dataset.source));
    const marked = new Set(
      sameRows.flatMap(({ fields }) => fields.filter(({ facts }) => facts.pii === true).flatMap(columnsOf)),
    );
    for (const field of dataset.fields) {
      // A field that reads a marked column is hidden with it; another rule reports a dataset that shows it.
      if (field.facts.pii !== undefined || columnsOf(field).some((column) => marked.has(column))) continue;
      const verdict = verdictOn(field, dataset);
      if (verdict === undefined) continue;
      problems.warn(
        field.place,
        `by its name it may hold ${verdict.content}. Set "pii" to true to hide it, or to false to show it.`,
      );
    }
  }
}

function verdictOn({ name, label = '', isTime }: DraftField, dataset: DraftDataset) {
  const type = isTime ? 'other' : 'text';
  return personalByText(name, dataset.name, type) ?? personalByText(label, dataset.name, type);
}

function columnsOf({ expression }: DraftField): readonly string[] {
  return leavesOf(expression?.template ?? []).map(({ name }) => name.toLowerCase());
}
