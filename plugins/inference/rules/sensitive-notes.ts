/** Notes on columns that a proposed cube shows although they may describe persons. Pure. */

import { junkReason } from '../detect/column-traits.ts';
import type { TableView } from '../detect/column-views.ts';
import { sensitiveContent } from '../detect/personal-verdicts.ts';

const MAX_LISTED = 8;

/** Returns one note that lists such columns with the personal facts that each may contain; no note where there is none. */
export function sensitiveNotes(tables: readonly TableView[]): readonly string[] {
  const columns = tables
    .flatMap((table) => table.columns)
    .flatMap((column) => {
      const content = junkReason(column) === undefined ? sensitiveContent(column) : undefined;
      return content === undefined ? [] : [`${column.table.name}.${column.name} (${content})`];
    });
  if (columns.length === 0) return [];
  const more = columns.length - MAX_LISTED;
  const listed = [...columns.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [`May describe persons, and is shown: ${listed}. Mark as personal what readers must not see.`];
}
