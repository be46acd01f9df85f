import { LRUCache } from 'lru-cache';

/** Texts of one kind whose values are kept. */
const MAX_TEXTS = 1_000;

/** Makes a reader of short texts that reads each text once, and gives the same, immutable value again. */
export function readOnce<Value extends object>(read: (text: string) => Value): (text: string) => Value {
  const values = new LRUCache<string, Value>({ max: MAX_TEXTS });
  return (text) => {
    const before = values.get(text);
    if (before !== undefined) return before;
    const value = read(text);
    values.set(text, value);
    return value;
  };
}
