/** The problems of a model at the elements that they are about. */

import { inWords } from '../words/server-words.ts';
import type { Target } from './draft.ts';
import type { ModelProblem } from './model-document.ts';

/** Returns the problems of one element. The server begins each message with the name of its element. */
export function problemsOf(
  problems: readonly ModelProblem[],
  { kind, dataset, name }: Target,
): readonly ModelProblem[] {
  const start = kind === 'field' ? `dataset ${dataset}, field ${name}` : `${kind} ${name}`;
  return problems.flatMap((problem) => {
    if (!problem.message.startsWith(`${start}: `)) return [];
    return [{ ...problem, message: sentence(inWords(problem.message.slice(start.length + 2))) }];
  });
}

/** Returns the problems of the fields of a dataset, too. */
export function problemsWithin(problems: readonly ModelProblem[], dataset: string): readonly ModelProblem[] {
  return problems.filter(
    ({ message }) => message.startsWith(`dataset ${dataset}: `) || message.startsWith(`dataset ${dataset}, `),
  );
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
