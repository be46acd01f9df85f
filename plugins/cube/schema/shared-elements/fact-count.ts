import { sameName } from '../mdx-name.ts';
import type { CalculatedMember, Located, Measure } from '../model.ts';

/** The name of the implicit measure that counts facts. */
export const FACT_COUNT = 'Fact Count';

/**
 * Returns the implicit measure `[Fact Count]` of a cube with one measure group whose author counts nothing. It is the
 * last stored measure, and MDX lists and names it. Returns none if another measure has this name.
 */
export function factCountOf(
  { line }: Located,
  measures: readonly Measure[],
  calculated: readonly CalculatedMember[],
  group: string,
): readonly Measure[] {
  const isCounted = measures.some(({ aggregator }) => aggregator === 'count');
  if (isCounted || [...measures, ...calculated].some(({ name }) => sameName(name, FACT_COUNT))) return [];
  return [
    {
      name: FACT_COUNT,
      caption: undefined,
      description: undefined,
      visible: false,
      annotations: new Map(),
      line,
      group,
      aggregator: 'count',
      expression: undefined,
      type: 'Integer',
      formatString: undefined,
      properties: [],
      implied: false,
      isFactCount: true,
    },
  ];
}
