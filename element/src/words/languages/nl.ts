import type { Words } from '../words.ts';

export const words: Words = {
  // Numbers.
  '{0} points': '{0} procentpunten',
  'Q{0} {1}': 'K{0} {1}',
  'Q{0}': 'K{0}',
  'W{0} {1}': 'W{0} {1}',
  'W{0}': 'W{0}',
  // Charts.
  'by|and||to|from|to|highest|no values|The values follow as a table.':
    'per|en||tot|van|tot|hoogste:|geen waarden|De waarden volgen als tabel.',
};
