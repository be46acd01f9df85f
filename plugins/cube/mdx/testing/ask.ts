import type { CellSet, MdxCatalog, QueryOptions, Value } from '../index.ts';
import { tupleText } from '../query/cell-set-text.ts';

/** One-line queries of the shop. */

/** Returns the value of an expression in the cube's default context; an error value is its text. */
export async function evaluated(shop: MdxCatalog, expression: string, cube = 'Sales'): Promise<Value> {
  const result = await shop.query(`with member Measures.X as ${expression} select {Measures.X} on 0 from [${cube}]`);
  const cell = result.cells[0];
  return cell?.error ?? cell?.value ?? null;
}

/** Returns the tuples of a set, shortened: `North.Oslo`, several members in parentheses. */
export async function tuplesOf(
  shop: MdxCatalog,
  expression: string,
  cube = 'Sales',
  options: QueryOptions = {},
): Promise<string> {
  return names(await shop.query(`select {${expression}} on 0 from [${cube}]`, options));
}

/** Lists the unique names of the first axis without their hierarchy and brackets. */
export function names(result: CellSet): string {
  const short = (text: string) =>
    text.replaceAll(/\[(?:Store|Time|Customer|Employee|Measures)\]\./g, '').replaceAll(/[[\]{}]/g, '');
  return (result.axes[0]?.tuples ?? [])
    .map((tuple) => (tuple.length === 1 ? short(tupleText(tuple)) : `(${short(tupleText(tuple)).replaceAll(',', '')})`))
    .join(' ');
}
