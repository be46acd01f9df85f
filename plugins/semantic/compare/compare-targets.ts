/** The times that values of a request may be compared with. */

export const COMPARE_TARGETS = {
  previous_period: { says: 'previous period' },
  previous_year: { says: 'previous year' },
} as const satisfies Record<string, { readonly says: string }>;

export type CompareTargetName = keyof typeof COMPARE_TARGETS;

export const COMPARE_TARGET_NAMES = Object.keys(COMPARE_TARGETS) as [CompareTargetName, ...CompareTargetName[]];
