import type { Words } from '../words.ts';

export const words: Words = {
  // Charts.
  'by|and||to|from|to|highest|no values|The values follow as a table.':
    'per|e|da|a|da|a|massimo:|nessun valore|I valori seguono in una tabella.',
};
