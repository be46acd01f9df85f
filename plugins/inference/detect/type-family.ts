/** Groups the column types of all engines into families. */
export type TypeFamily = 'integer' | 'decimal' | 'text' | 'date' | 'timestamp' | 'boolean' | 'other';

/** In order; the first that fits decides. Names of DuckDB, PostgreSQL, MySQL, SQLite, ClickHouse and Trino. */
const FAMILIES: readonly (readonly [TypeFamily, RegExp])[] = [
  ['other', /\[\]|^(array|map|struct|row|tuple|list|nested|json|variant|union)\b/],
  ['boolean', /^(bool|boolean|tinyint\(1\)|bit(\(1\))?$)/],
  ['timestamp', /^(timestamp|datetime|smalldatetime)/],
  ['date', /^date/],
  ['integer', /^(u?(tiny|small|medium|big|huge)?int(eger)?(\d+)?|int[248]|serial|bigserial|smallserial)\b/],
  ['decimal', /^(decimal|numeric|number|double|float\d*|real|money|smallmoney)/],
  [
    'text',
    /^(character|varchar|nvarchar|char|nchar|bpchar|text|citext|tinytext|mediumtext|longtext|string|fixedstring|enum|uuid|name|clob)/,
  ],
];

/** Returns the family of a native type name; a decimal without digits after the point is an integer. */
export function familyOf(nativeType: string): TypeFamily {
  let type = nativeType.trim().toLowerCase();
  for (let wrapped = WRAPPER.exec(type); wrapped !== null; wrapped = WRAPPER.exec(type)) type = wrapped[1] ?? '';
  const [family] = FAMILIES.find(([, pattern]) => pattern.test(type)) ?? ['other'];
  return family === 'decimal' && /^(decimal|numeric|number)\s*\(\s*\d+\s*(,\s*0\s*)?\)/.test(type) ? 'integer' : family;
}

/** ClickHouse's `Nullable(String)`. */
const WRAPPER = /^(?:nullable|lowcardinality)\((.*)\)$/;

export function isNumeric(family: TypeFamily): boolean {
  return family === 'integer' || family === 'decimal';
}

export function isTemporal(family: TypeFamily): boolean {
  return family === 'date' || family === 'timestamp';
}
