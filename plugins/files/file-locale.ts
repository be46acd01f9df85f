import { z } from 'zod';

/** The language of a file. */
export const FileLocale = z
  .string()
  .max(100)
  .refine((tag) => isAccepted(() => Intl.getCanonicalLocales(tag)), 'locale must be a BCP 47 tag such as de-CH')
  .optional()
  .describe('For a file: the language of its own words, dates and, for CSV, its decimal sign. Default `en`.');

/** Returns whether a reader accepts a text: it does not throw. */
export function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
