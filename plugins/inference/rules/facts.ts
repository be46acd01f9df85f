/** The tables that are worth a cube, and why the others are not. Pure. */
import { PERSON_WORDS } from '../../personal-data/index.ts';
import type { ColumnView, TableView } from '../detect/column-views.ts';
import { isDate } from './dates.ts';
import { isCalendarTable, isMeasure, isUseful } from './measures.ts';
import type { SingleKeys } from './single-keys.ts';

/** Words of things that happen: a table of them is counted, even where another refers to it. */
const EVENT_WORDS: ReadonlySet<string> = new Set([
  'order',
  'invoice',
  'sale',
  'payment',
  'rental',
  'booking',
  'ticket',
  'visit',
  'shipment',
  'delivery',
  'receipt',
  'transaction',
  'return',
  'bestellung',
  'rechnung',
  'auftrag',
  'lieferung',
  'buchung',
  'verkauf',
  'zahlung',
]);

export interface Facts {
  /** Tables that are worth a cube, the largest first. */
  readonly facts: readonly TableView[];
  /** Why each other table is not. */
  readonly reasons: ReadonlyMap<TableView, string>;
}

/** Returns the facts of a schema; where no table is worth a cube by itself, the largest one, with numbers before without. */
export function chooseFacts(tables: readonly TableView[], keys: SingleKeys): Facts {
  const reasons = new Map<TableView, string>();
  for (const table of tables) {
    const reason = reasonAgainst(table, keys);
    if (reason !== undefined) reasons.set(table, reason);
  }
  const bySize = tables.filter(({ rows }) => rows > 0).toSorted((left, right) => right.rows - left.rows);
  const facts = bySize.filter((table) => !reasons.has(table));
  if (facts.length > 0) return { facts, reasons };
  const withNumbers = bySize.filter((table) => hasMeasures(table, keys));
  return { facts: (withNumbers.length > 0 ? withNumbers : bySize).slice(0, 1), reasons };
}

/** Returns whether the rows of a table are things that happened, to which lines of others refer: an order with its lines. */
export function isHeader(table: TableView, keys: SingleKeys): boolean {
  if (!keys.isReferred(table) || !hasDates(table, keys) || isCalendarTable(table) || isOfPersons(table)) return false;
  if (table.subject.some((word) => EVENT_WORDS.has(word))) return true;
  const targets = referredTables(table, keys);
  return targets.length > 0 && targets.every(({ rows }) => rows <= table.rows);
}

function reasonAgainst(table: TableView, keys: SingleKeys): string | undefined {
  if (table.rows === 0) return 'It has no rows.';
  if (isHeader(table, keys)) return undefined;
  if (keys.isReferred(table)) return 'Other tables refer to it: it describes their rows.';
  if (isCalendarTable(table)) return 'It is a calendar, and no table refers to it.';
  const targets = referredTables(table, keys);
  const isDated = hasDates(table, keys);
  if (hasMeasures(table, keys)) {
    const isGrouped = targets.length > 0 || isDated || table.columns.some(isGroup);
    return isGrouped ? undefined : 'It has numbers, but nothing to group them by.';
  }
  if (targets.length > 0 && isDated) return undefined;
  if (targets.length > 1) return `It only connects ${targets.map(({ name }) => name).join(' and ')}.`;
  if (isDated) return 'It has nothing to add up, and only dates to count its rows by.';
  return 'It has nothing to add up, and neither dates nor other tables to count its rows by.';
}

function referredTables(table: TableView, keys: SingleKeys): readonly TableView[] {
  const targets = keys.from(table).flatMap(({ to: [key] }) => (key === undefined ? [] : [key.table]));
  return [...new Set(targets)].filter((each) => each !== table);
}

function hasMeasures(table: TableView, keys: SingleKeys): boolean {
  return table.columns.some((column) => isMeasure(column, keys) && isUseful(column));
}

function hasDates(table: TableView, keys: SingleKeys): boolean {
  return table.columns.some((column) => isDate(column) && isUseful(column) && !keys.isInKey(column));
}

function isGroup(column: ColumnView): boolean {
  const { family, column: profile, table } = column;
  return (family === 'text' || family === 'boolean') && isUseful(column) && profile.distinctApprox < table.rows;
}

function isOfPersons({ subject }: TableView): boolean {
  return PERSON_WORDS.has(subject.at(-1) ?? '');
}
