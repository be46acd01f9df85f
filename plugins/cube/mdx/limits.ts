/** Bounds of an MDX text. What runs is recursive; each bound is well below what the stack holds. */

/** Expressions in brackets, arguments or formulas of each other at most. */
export const MAX_NESTING = 200;

/** Operations that work on each other's results at most, such as the terms of a sum. */
export const MAX_OPERATIONS = 800;

/** Parts of a compound name at most: `[Time].[1997].Parent` has three. */
export const MAX_NAME_PARTS = 200;

/** Arguments of a function, or parts of a tuple, at most. */
export const MAX_ARGUMENTS = 1_000;

/** Axes of a query at most. */
export const MAX_AXES = 100;

/** Characters of a text: of a query, or of a formula. */
export const MAX_TEXT_LENGTH = 200_000;
