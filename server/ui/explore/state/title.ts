import { msg, str } from '../../words/words.ts';
import type { Catalog } from './catalog.ts';
import type { Draft } from './draft.ts';
import { itemWords, labelOf } from './words.ts';

/** Returns a title for a request: "Net sales by Category and Date by month". */
export function titleOf({ rows, columns, values }: Draft, catalog: Catalog): string {
  const metrics = values.map((item) => labelOf(item, catalog));
  const fields = [...rows, ...columns].map((item) => itemWords('rows', item, catalog));
  const shown = listed(metrics);
  if (fields.length === 0) return shown;
  return metrics.length === 0 ? listed(fields) : msg(str`${shown} by ${listed(fields)}`);
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : msg(str`${names.slice(0, -1).join(', ')} and ${last}`);
}
