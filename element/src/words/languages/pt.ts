import type { Words } from '../words.ts';

export const words: Words = {
  // Charts.
  'by|and||to|from|to|highest|no values|The values follow as a table.':
    'por|e|de|a|de|a|máximo:|sem valores|Os valores seguem em uma tabela.',
};
