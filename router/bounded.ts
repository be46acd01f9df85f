/** Schemas with a bounded cost: a list is counted before its entries are read, a text has a maximum length. */
import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, MAX_PROBLEMS } from './limits.ts';

interface ListDefinition<Element extends z.ZodType> extends z.core.$ZodArrayDef<Element> {
  readonly most: number;
}

/**
 * A list that refuses by its length before it reads entries, and stops reading after as many wrong entries as one answer reports. zod alone reads all
 * entries first, and each wrong one becomes a problem: hundreds of thousands for a body that is refused anyway.
 */
const BoundedList = z.core.$constructor<z.ZodArray<z.ZodType>, ListDefinition<z.ZodType>>(
  'BoundedList',
  (list, definition) => {
    z.ZodArray.init(list, definition);
    const { element, most } = definition;
    list._zod.bag.maximum = most; // The `maxItems` of the JSON Schema.
    list._zod.parse = (payload, context) => {
      const { value: input, issues } = payload;
      if (!Array.isArray(input)) {
        issues.push({ code: 'invalid_type', expected: 'array', input, inst: list });
        return payload;
      }
      if (input.length > most) {
        issues.push({ code: 'too_big', origin: 'array', maximum: most, inclusive: true, input, inst: list });
        return payload;
      }
      const read: unknown[] = [];
      for (const [index, entry] of input.entries()) {
        const result = element._zod.run({ value: entry, issues: [] }, context);
        if (result instanceof Promise) throw new z.core.$ZodAsyncError();
        for (const issue of result.issues) issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
        if (issues.length > MAX_PROBLEMS) break;
        read.push(result.value);
      }
      payload.value = read;
      return payload;
    };
  },
);

/** Returns a list of at most `most` entries; also in the JSON Schema. */
export function list<Element extends z.ZodType>(element: Element, most: number): z.ZodArray<Element> {
  const bounded = new BoundedList({ type: 'array', element, most });
  return bounded as z.ZodArray<z.ZodType> as z.ZodArray<Element>;
}

/** The name of a dataset, field, measure, cube or connection. */
export const Name = z.string().max(MAX_NAME_LENGTH);

/** A path in the repository, or an identifier that the service gave out. */
export const PathText = z.string().max(MAX_PATH_LENGTH);
