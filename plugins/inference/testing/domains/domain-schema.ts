/** How a schema of a domain is written down: its statements, and what a person who knows the domain says of it. */

export interface DomainSchema {
  readonly name: string;
  /** Statements for DuckDB. */
  readonly setUp: readonly string[];
  /** `table(column) -> table(column)`. */
  readonly foreignKeys: readonly string[];
  /** Numbers that are added up, and numbers that are averaged: `table.column`. */
  readonly summed: readonly string[];
  readonly averaged: readonly string[];
  readonly personalData: readonly string[];
  /** `table: coarse > fine`. */
  readonly hierarchies: readonly string[];
}

/** Returns SQL of a number below `count` that differs from row to row without order. */
export function pick(count: number, seed: number, row = 'range'): string {
  return `CAST((((${row} + ${seed}) * 2654435761) % 4294967291) // 7 % ${count} AS INTEGER)`;
}

/** Returns SQL of one of some values. */
export function oneOf(values: readonly (string | number)[], seed: number, row = 'range'): string {
  const list = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(', ');
  return `([${list}])[1 + ${pick(values.length, seed, row)}]`;
}

/** Returns SQL of an amount with two digits after the point. */
export function amount(least: number, most: number, seed: number, row = 'range'): string {
  return `CAST(${least} + ${pick((most - least) * 100, seed, row)} / 100.0 AS DECIMAL(12,2))`;
}

/** Returns SQL of a date within some days from a day on. */
export function dayWithin(days: number, seed: number, from = '2022-01-01', row = 'range'): string {
  return `(DATE '${from}' + ${pick(days, seed, row)})`;
}

export const FIRST_NAMES = [
  'Anna',
  'Ben',
  'Clara',
  'David',
  'Eva',
  'Felix',
  'Greta',
  'Hannes',
  'Ida',
  'Jonas',
  'Klara',
  'Leon',
  'Mia',
  'Noah',
  'Olga',
  'Paul',
] as const;
export const LAST_NAMES = [
  'Meyer',
  'Schmidt',
  'Fischer',
  'Weber',
  'Smith',
  'Jones',
  'Taylor',
  'Brown',
  'Wagner',
  'Becker',
  'Hoffmann',
  'Koch',
  'Bauer',
  'Wolf',
  'Klein',
  'Novak',
  'Silva',
] as const;
