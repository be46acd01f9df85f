import { type Problem, ValidationError } from '../../../router/errors.ts';

/** All of them, or all problems that they have, each place once. */
export function collectErrors<Item, Made>(items: readonly Item[], make: (item: Item) => Made): readonly Made[] {
  const problems: Problem[] = [];
  const made = items.flatMap((item) => {
    try {
      return [make(item)];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      for (const problem of error.problems) {
        if (!problems.some(({ field }) => field === problem.field)) problems.push(problem);
      }
      return [];
    }
  });
  const [first, ...others] = problems;
  if (first !== undefined) throw new ValidationError([first, ...others]);
  return made;
}
