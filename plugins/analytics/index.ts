/** What the query surfaces share: names, masking, queries that are answered later. */
export { known, QueryStatus, queryStatus } from './later.ts';
export { isSmall, type KAnonymity, type Mask, maskedCell, suppressionReason } from './mask.ts';
export { type Match, match, type Named, nearestFirst } from './names.ts';
