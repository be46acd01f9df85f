/** Keeps the answers that callers mark as wrong. */
import type { AskSource } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { OperationContext } from '../../router/operation.ts';
import type { AskDependencies } from './ask-steps.ts';
import { AskFeedback } from './schemas.ts';

interface Mark {
  /** The feedback, with the members that name the model or cube. */
  readonly input: unknown;
  readonly context: OperationContext;
  readonly signal: AbortSignal | undefined;
}

/**
 * Keeps a question with the query that answered it.
 *
 * @throws NotFoundError where the caller may not see the model or cube
 */
export async function markWrong(
  source: AskSource,
  { questions }: Pick<AskDependencies, 'questions'>,
  { input, context, signal }: Mark,
): Promise<{ readonly kept: boolean }> {
  const { question, verdict, queryUsed, comment = '' } = AskFeedback.strip().parse(input);
  const { reference, target } = await source.open(input, context, signal);
  const { tenant } = userOf(context);
  const { surface } = source;
  const asked = { surface, reference, target, kind: verdict, question, request: queryUsed, reason: comment };
  return { kept: await questions.keep(tenant, asked) };
}
