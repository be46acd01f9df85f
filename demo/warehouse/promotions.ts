/** Describes a campaign of the chain. At most one runs on a day. */
export interface Promotion {
  readonly name: string;
  /** Discount in percent of the gross amount. */
  readonly percent: number;
  /** Share of the sales lines with the discount. */
  readonly share: number;
  /** The discounted category; undefined for all. */
  readonly category: string | undefined;
  /** Demand on such a day relative to an ordinary one. */
  readonly lift: number;
  /** First and last day as `MM-DD`, or as `YYYY-MM-DD` for one year. */
  readonly from: string;
  readonly to: string;
}

const blackWeek = { name: 'Black Week', percent: 25, share: 0.45, category: undefined, lift: 1.55 } as const;

const PROMOTIONS: readonly Promotion[] = [
  { name: 'Winter Clearance', percent: 30, share: 0.35, category: undefined, lift: 1.12, from: '01-03', to: '01-20' },
  { name: 'Garden Days', percent: 15, share: 0.7, category: 'Garden', lift: 1.06, from: '04-15', to: '04-30' },
  { name: 'Summer Sale', percent: 20, share: 0.3, category: undefined, lift: 1.1, from: '07-01', to: '07-21' },
  { name: 'Back to School', percent: 10, share: 0.5, category: 'Stationery', lift: 1.05, from: '08-18', to: '09-07' },
  { ...blackWeek, from: '2023-11-20', to: '2023-11-26' },
  { ...blackWeek, from: '2024-11-25', to: '2024-12-01' },
  { ...blackWeek, from: '2025-11-24', to: '2025-11-30' },
];

export function promotionOn(date: string): Promotion | undefined {
  return PROMOTIONS.find(({ from, to }) => {
    const day = from.length === 10 ? date : date.slice(5);
    return from <= day && day <= to;
  });
}
