/** Columns in a form that passes between threads quickly: numbers as floats, and texts that repeat as places in a list. */
import type { Scalar } from '../../../router/capabilities/scalar.ts';
import { InternalError } from '../../../router/errors.ts';

export type PackedColumn =
  | { readonly kind: 'numbers'; readonly values: Float64Array }
  | { readonly kind: 'texts'; readonly texts: readonly string[]; readonly places: Uint32Array }
  | { readonly kind: 'values'; readonly values: readonly Scalar[] };

/** The largest share of different texts at which a list of them pays. */
const MAX_DIFFERENT = 0.5;

/** Returns the values in the form that is cheapest to copy. */
export function packColumn(values: readonly Scalar[]): PackedColumn {
  return packedNumbers(values) ?? packedTexts(values) ?? { kind: 'values', values };
}

/** Adds the values of a column to a list. */
export function unpackColumn(column: PackedColumn, list: Scalar[]): void {
  switch (column.kind) {
    case 'texts':
      for (const place of column.places) {
        const text = column.texts[place];
        if (text === undefined) throw new InternalError('A place of a packed column has no text.');
        list.push(text);
      }
      return;
    default:
      for (const value of column.values) list.push(value);
  }
}

function packedNumbers(values: readonly Scalar[]): PackedColumn | undefined {
  const packed = new Float64Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value !== 'number') return undefined;
    packed[index] = value;
  }
  return { kind: 'numbers', values: packed };
}

function packedTexts(values: readonly Scalar[]): PackedColumn | undefined {
  const most = values.length * MAX_DIFFERENT;
  const placeOf = new Map<string, number>();
  const places = new Uint32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value !== 'string') return undefined;
    let place = placeOf.get(value);
    if (place === undefined) {
      place = placeOf.size;
      if (place + 1 > most) return undefined;
      placeOf.set(value, place);
    }
    places[index] = place;
  }
  return { kind: 'texts', texts: [...placeOf.keys()], places };
}
