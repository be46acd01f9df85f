import { sameName } from '../mdx-name.ts';
import type { CalculatedMember, Located, Measure } from '../model.ts';

const FACT_COUNT = 'Fact Count';

/**
 * Returns the count of its facts that a cube of one measure group has as its last stored measure where its author counts
 * nothing: `[Fact Count]`, which MDX lists and names. None where another measure is called so.
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
