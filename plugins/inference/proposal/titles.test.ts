import { expect, it } from 'vitest';
import { detectLanguage } from './titles.ts';

it.each([
  ['de', ['Auftragsnr', 'Kundennr', 'Datum', 'Betrag', 'Kanal']],
  ['de', ['id', 'plz', 'ort', 'name', 'status', 'email']],
  ['de', ['BESTELLDATUM', 'MENGE', 'SKU']],
  ['en', ['order_id', 'customer_id', 'placed', 'amount_eur']],
  // English words that are German, too, or contain German ones.
  ['en', ['tag', 'port', 'sort_order', 'name', 'status', 'price']],
  ['en', ['import', 'export', 'landing_page', 'alternate', 'days']],
  ['en', []],
] as const)('the titles are in %s for the columns %j', (language, columns) => {
  expect(detectLanguage(columns)).toBe(language);
});
