/** Values that are read from a warehouse, bound to statements and written in answers. */

/** The type of a column or a bound value, in this product's own words; a driver maps its native types to these. */
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
 * - `text`, `json`, `binary` (base64), `other`: text
 */
export type Scalar = string | number | bigint | boolean | null;
