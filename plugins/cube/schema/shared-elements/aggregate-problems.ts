import type { Located } from '../model.ts';
import type { Problems } from '../xml/problems.ts';

/** A mistake that keeps an aggregate table from being used. The message continues the table's name. */
export class UnusableAggregate extends Error {
  readonly at: Located;

  constructor(at: Located, message: string) {
    super(message);
    this.at = at;
  }
}

/** Returns what `read` makes. A mistake in it is a warning: answers then come from the facts. */
export function usableAggregate<Made>(name: string, read: () => Made, problems: Problems): readonly Made[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof UnusableAggregate)) throw error;
    problems.warn(error.at, `The aggregate table ${name} is not used: ${error.message}`);
    return [];
  }
}
