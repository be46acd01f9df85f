/** What the description of a tool tells an agent about errors: enough to mend a request without the documentation. */
export const REPAIR_HINT =
  'An error says in `field` which place of the request is wrong and in `available` what it may be, nearest first: change that place and call again.';
