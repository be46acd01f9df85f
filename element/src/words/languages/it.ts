import type { Words } from '../words.ts';

export const words: Words = {
  // Numbers.
  '{0} points': '{0} punti',
  'Q{0} {1}': 'T{0} {1}',
  'Q{0}': 'T{0}',
  'W{0} {1}': 'S{0} {1}',
  'W{0}': 'S{0}',
  // Charts.
  'by|and||to|from|to|highest|no values|The values follow as a table.':
    'per|e|da|a|da|a|massimo:|nessun valore|I valori seguono in una tabella.',
};
