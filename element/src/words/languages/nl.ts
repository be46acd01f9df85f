import type { Words } from '../words.ts';

export const words: Words = {
  // Charts.
  'by|and||to|from|to|highest|no values|The values follow as a table.':
    'per|en||tot|van|tot|hoogste:|geen waarden|De waarden volgen als tabel.',
};
