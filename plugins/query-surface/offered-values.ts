/** The values of an answer's dimension, for a reader to choose from. */
import type { OfferedValue, OfferedValues, TabularAnswer } from '../../router/capabilities/query-source.ts';

/** The label of a missing value, as the views show it. */
const NO_VALUE = '–';

/**
 * Lists the distinct values of one dimension of an answer, in the answer's order, without its figures.
 *
 * @param text what the labels must contain, in any letter case
 * @param limit the most values
 */
export function valuesOfAnswer(
  { columns, records, meta }: TabularAnswer,
  field: string,
  { text = '', limit }: { readonly text?: string | undefined; readonly limit: number },
): OfferedValues | undefined {
  const column = columns.find(({ key }) => key === field);
  if (column === undefined) return undefined;
  const { label, dataType, grain, labels } = column;
  const needle = text.toLowerCase();
  const found = new Map<OfferedValue, string>();
  let isCut = false;
  for (const record of records) {
    const value = record[field];
    if (value === null || value === undefined || typeof value === 'object' || found.has(value)) continue;
    const shown = (labels?.[String(value)] ?? String(value)) || NO_VALUE;
    if (!shown.toLowerCase().includes(needle)) continue;
    isCut = found.size >= limit;
    if (isCut) break;
    found.set(value, shown);
  }
  return {
    label,
    dataType,
    ...(grain === undefined ? {} : { grain }),
    values: [...found].map(([value, shown]) => ({ value, label: shown })),
    truncated: isCut || meta.truncated,
  };
}
