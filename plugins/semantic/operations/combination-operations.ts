/** The operation that finds what a request in the making cannot be combined with. */
import { userOf } from '../../../router/calling-user.ts';
import { operation } from '../../../router/operation.ts';
import { formatPath } from '../../../router/path.ts';
import { findMisfits } from '../query/combinations.ts';
import { withTimeOf } from '../query/execute/period-tables.ts';
import { CombinationsResponse, SemanticQueryRequest } from '../schemas.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { SEMANTIC_TOOLS } from './tools.ts';

export function combinationOperations({ catalogs, cache, settings }: Dependencies) {
  return {
    combinations: operation({
      summary: 'Find the datasets and metrics that a query cannot be extended by, each with the reason',
      access: 'user',
      answersViewers: true,
      tool: SEMANTIC_TOOLS.combinations,
      rest: { method: 'POST', path: `${ROOT}/combinations`, body: '*' },
      implementationChoice: 'The whole operation. Sorts, the limit, `fill` and `compare` do not count.',
    })
      .input(SemanticQueryRequest)
      .output(CombinationsResponse)
      .mutation(async ({ ctx, input, signal }) => {
        const scope = userOf(ctx);
        const served = await catalogs.find(input.connection, input.model, scope);
        const target = await withTimeOf(input, served, scope, { cache, settings, signal });
        const { problem, datasets, metrics } = await findMisfits(input, target, scope, settings, signal);
        return {
          ...(problem === undefined ? {} : { problem: { field: formatPath(problem.path), message: problem.message } }),
          datasets: datasets.map(({ name, message }) => ({ dataset: name, message })),
          metrics: metrics.map(({ name, message }) => ({ metric: name, message })),
        };
      }),
  };
}
