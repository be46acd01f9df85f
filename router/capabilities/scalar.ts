/** Values in warehouses' answers, in bound parameters, and in this product's answers. */

/** The type of a column or a bound value, independent of the engine; a driver maps its native types to these. */
export type ScalarType =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'json'
  | 'binary'
  | 'other';

/**
 * One cell. By column type:
 * - `integer`: number, or bigint beyond ±(2^53-1)
 * - `decimal`: number when its digits fit a double exactly (at most 15 significant digits), else the exact decimal text
 * - `float`: number (NaN and infinities possible)
 * - `boolean`: boolean
 * - `date`: `YYYY-MM-DD`; `time`: `HH:MM:SS[.ffffff]`; `timestamp`: `YYYY-MM-DDTHH:MM:SS[.ffffff]`; `timestamptz`: the same in UTC with `Z`
 *   Columns with finer fractions have nine or twelve digits. Years that are not of four digits have a sign and six, as in ISO 8601.
 * - `text`, `json`, `binary` (base64), `other`: text
 */
export type Scalar = string | number | bigint | boolean | null;
