/** Suggests levels and measures that the schema's author may want to mark as personal data. */
import { personalByText } from '../../personal-data/index.ts';
import type { CubeMetadata } from '../cube-metadata/cube-metadata.ts';

export interface Suggestion {
  readonly target: string;
  readonly reason: string;
}

/** Returns the levels and measures with names that look personal, unless the author has confirmed or denied it. */
export function piiSuggestions({ dimensions, measures }: CubeMetadata): readonly Suggestion[] {
  const levels = dimensions.flatMap((dimension) =>
    dimension.hierarchies.flatMap(({ levels }) =>
      // A level `Name` of a dimension `Customers` has names of customers.
      levels.filter(({ isAll }) => !isAll).map((level) => ({ ...level, context: dimension.name })),
    ),
  );
  return [...levels, ...measures.map((measure) => ({ ...measure, context: '' }))].flatMap(
    ({ uniqueName, name, caption, context, annotations }) => {
      const verdict = annotations.piiStated
        ? undefined
        : (personalByText(name, context) ?? personalByText(caption, context));
      if (verdict === undefined) return [];
      const reason = `By its name it may hold ${verdict.content}. If so, annotate it with service.semantic.pii.`;
      return [{ target: uniqueName, reason }];
    },
  );
}
