/**
 * The sentence about errors in the descriptions of tools. With it, an agent can correct a request without the
 * documentation.
 */
export const REPAIR_HINT =
  'An error says in `field` which place of the request is wrong and in `available` what it may be, nearest first: change that place and call again.';
