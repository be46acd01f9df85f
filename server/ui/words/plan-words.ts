/** Says the steps of a plan, `plan.steps` of a preview, in the visitor's language. */
import { PLAN_PARTS, PLAN_STEPS, PLAN_STEPS_WITH_SQL } from './sentences/explanations.ts';
import type { Sentence } from './sentences/sentence.ts';
import { byWords, type Speak, say, speakOfPage } from './server-words.ts';

const STEPS = byWords([...PLAN_STEPS, ...PLAN_STEPS_WITH_SQL]);
const WITH_SQL: ReadonlySet<Sentence> = new Set(PLAN_STEPS_WITH_SQL);
/** A longer step stays as it is: its values are cut again and again. */
const MAX_LENGTH = 2_000;

/** Returns the texts between the values of all steps, for the comparison with the sources of the server. */
export function planParts(): readonly (readonly string[])[] {
  return [...STEPS, ...PLAN_PARTS];
}

/**
 * Says a step in the visitor's language; one that is not known stays as it is.
 *
 * @param speak another language, for tests
 */
export function planInWords(step: string, speak: Speak = speakOfPage): string {
  if (step.length > MAX_LENGTH) return step;
  return say(step, STEPS, speak, (parts) => (WITH_SQL.has(parts) ? [] : PLAN_PARTS)) ?? step;
}
