/**
 * The planted anomalies of the demo's three years, each with its dates and factors. `demo/README.md` explains them to
 * readers; `warehouse.test.ts` checks them in the generated rows.
 */

export const FIRST_DAY = '2023-01-01';
export const LAST_DAY = '2025-12-31';

/** A burst pipe: the store sells nothing from the first to the last day. */
export const CLOSED_STORE = { store: 'Lyon Part-Dieu', from: '2024-03-11', to: '2024-03-17' } as const;

/** A till set to cases instead of pieces: every quantity of the store's day is ten times too high. */
export const DATA_ENTRY_SPIKE = { store: 'Rotterdam Witte de With', on: '2025-02-18', factor: 10 } as const;

/**
 * A slipped decimal point: one product at a tenth of its price in all stores. Customers who noticed bought five times
 * as many.
 */
export const PRICING_ERROR = {
  product: 'Terracotta Planter',
  from: '2025-05-09',
  to: '2025-05-11',
  priceDivisor: 10,
  quantityFactor: 5,
} as const;

/** The web shop was down on Black Friday: no online order that day, and no extra orders in stores. */
export const ONLINE_OUTAGE = { on: '2024-11-29' } as const;

/** A supplier raised the cost of one category, and list prices did not follow. */
export const COST_INCREASE = { category: 'Lighting', from: '2025-07-01', percent: 18 } as const;

/** A late container: one category out of stock in a whole region at one month's end. */
export const STOCK_OUT = { category: 'Garden', region: 'South', on: '2025-06-30' } as const;
