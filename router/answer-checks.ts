import type { TabularAnswer } from './capabilities/query-source.ts';
import type { Awaitable } from './steps.ts';

/** Returns whether the same run would give the same answer now, from results that are still cached. */
export type AnswerCheck = () => Awaitable<boolean>;

/** Beside the answers, which are plain data. */
const checks = new WeakMap<TabularAnswer, AnswerCheck>();

/** Notes how to check whether an answer is still right, and returns the answer. */
export function withCheck<Answer extends TabularAnswer>(answer: Answer, check: AnswerCheck | undefined): Answer {
  if (check !== undefined) checks.set(answer, check);
  return answer;
}

/** Returns the check of an answer; `undefined` for an answer that cannot be kept. */
export function checkOf(answer: TabularAnswer): AnswerCheck | undefined {
  return checks.get(answer);
}
