/**
 * How the value of a set of facts is computed from the values of its parts. `facts`: it cannot be; all facts are read
 * at once.
 */
export type RollUp = 'sum' | 'min' | 'max' | 'facts';

interface AggregatorTraits {
  /** The spellings in both schema languages, in any letter case. */
  readonly spellings: readonly [string, ...(readonly string[])];
  readonly rollUp: RollUp;
  /** The type of the value if the schema names none. */
  readonly defaultType: 'Integer' | 'Numeric';
  /** True if values are sizes of groups, so that they can mask small groups. */
  readonly isCount: boolean;
  /** True if a what-if can spread a new value to the leaf cells below. */
  readonly isSpreadable: boolean;
  /** True if it needs a column. Otherwise it counts rows without a column. */
  readonly needsColumn: boolean;
}

/** All aggregators of stored measures. The type `Aggregator` and all checks of schemas use this table. */
export const AGGREGATORS = {
  sum: {
    spellings: ['sum'],
    rollUp: 'sum',
    defaultType: 'Numeric',
    isCount: false,
    isSpreadable: true,
    needsColumn: true,
  },
  count: {
    spellings: ['count'],
    rollUp: 'sum',
    defaultType: 'Integer',
    isCount: true,
    isSpreadable: false,
    needsColumn: false,
  },
  min: {
    spellings: ['min'],
    rollUp: 'min',
    defaultType: 'Numeric',
    isCount: false,
    isSpreadable: false,
    needsColumn: true,
  },
  max: {
    spellings: ['max'],
    rollUp: 'max',
    defaultType: 'Numeric',
    isCount: false,
    isSpreadable: false,
    needsColumn: true,
  },
  avg: {
    spellings: ['avg'],
    rollUp: 'facts',
    defaultType: 'Numeric',
    isCount: false,
    isSpreadable: false,
    needsColumn: true,
  },
  'distinct-count': {
    spellings: ['distinct-count', 'distinct count'],
    rollUp: 'facts',
    defaultType: 'Integer',
    isCount: true,
    isSpreadable: false,
    needsColumn: true,
  },
} as const satisfies Readonly<Record<string, AggregatorTraits>>;

export type Aggregator = keyof typeof AGGREGATORS;

/** Returns the traits of an aggregator. */
export function traitsOf(aggregator: Aggregator): AggregatorTraits {
  return AGGREGATORS[aggregator];
}

const NAMES = Object.keys(AGGREGATORS) as readonly Aggregator[];

/** Aggregators by each of their spellings. */
export const AGGREGATOR_SPELLINGS: Readonly<Record<string, Aggregator>> = Object.fromEntries(
  NAMES.flatMap((name) => traitsOf(name).spellings.map((spelling) => [spelling, name])),
);
