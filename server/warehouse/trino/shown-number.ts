/** Parts of the text that Trino gives of each double: `-5.600091E4`, `0E0`. */
const PARTS = String.raw`^(-?)(\d)(?:\.(\d+))?E(-?\d+)$`;

/** Writes the text of a double with as few digits as tell it apart, and without an exponent from 10^-6 to 10^21. */
export function shownNumber(expression: string): string {
  const [sign, first, exponent] = ['x[1]', 'x[2]', 'CAST(x[4] AS INTEGER)'];
  const fraction = "regexp_replace(coalesce(x[3], ''), '0+$', '')";
  const digits = `${first} || ${fraction}`;
  const whole = `CASE WHEN length(${digits}) <= ${exponent} + 1 THEN rpad(${digits}, ${exponent} + 1, '0') ELSE substr(${digits}, 1, ${exponent} + 1) || '.' || substr(${digits}, ${exponent} + 2) END`;
  const small = `'0.' || lpad('', -1 - ${exponent}, '0') || ${digits}`;
  const mantissa = `${first} || CASE WHEN ${fraction} = '' THEN '' ELSE '.' || ${fraction} END`;
  const far = `${mantissa} || 'e' || CASE WHEN ${exponent} > 0 THEN '+' ELSE '' END || x[4]`;
  const text = `${sign} || CASE WHEN ${exponent} BETWEEN 0 AND 20 THEN ${whole} WHEN ${exponent} BETWEEN -6 AND -1 THEN ${small} ELSE ${far} END`;
  return `regexp_replace(CAST(${expression} AS VARCHAR), '${PARTS}', x -> ${text})`;
}
