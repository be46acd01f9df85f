import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import {
  MAX_KEPT_PATTERNS,
  MAX_MATCH_STEPS,
  MAX_PATTERN_INSTRUCTIONS,
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_REPETITIONS,
} from '../../limits.ts';
import { PatternError } from './pattern-error.ts';
import { refusalOf, refusalOfDifferentSyntax } from './unsupported-syntax.ts';

const COMPILED = new LRUCache<string, RE2JS>({ max: MAX_KEPT_PATTERNS });

/**
 * Returns whether a regular expression in RE2 syntax matches the whole text. The time is linear in the length of the
 * text, and the limits keep one match below about a tenth of a second.
 *
 * @throws PatternError for a pattern that is invalid, uses unsupported syntax or exceeds a limit
 */
export function matchesWhole(text: string, source: string): boolean {
  let pattern = COMPILED.get(source);
  if (pattern === undefined) {
    pattern = compile(source);
    COMPILED.set(source, pattern);
  }
  if (text.length * pattern.programSize() > MAX_MATCH_STEPS)
    throw new PatternError(`it needs more than ${MAX_MATCH_STEPS} steps for a text of ${text.length} characters`);
  return pattern.matches(text);
}

function compile(source: string): RE2JS {
  if (source.length > MAX_PATTERN_LENGTH) throw new PatternError(`it has more than ${MAX_PATTERN_LENGTH} characters`);
  if (repetitions(source) > MAX_PATTERN_REPETITIONS) throw new PatternError(TOO_MANY_PARTS);
  const refusal = refusalOfDifferentSyntax(source);
  if (refusal !== undefined) throw refusal;
  const pattern = parsed(source);
  if (pattern.programSize() > MAX_PATTERN_INSTRUCTIONS) throw new PatternError(TOO_MANY_PARTS);
  return pattern;
}

const TOO_MANY_PARTS = `it repeats more than ${MAX_PATTERN_INSTRUCTIONS} parts`;

/** Adds up the counts of all `{n}` and `{n,m}`, so that compiling a pattern takes milliseconds. */
function repetitions(source: string): number {
  return [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce((sum, [, min, max]) => sum + Number(max || min), 0);
}

function parsed(source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.LOOKBEHINDS);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw refusalOf(error.message);
  }
}
