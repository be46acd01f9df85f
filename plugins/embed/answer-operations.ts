/** The answer of a request that no document has yet, in the shape that the element's views take: for our own pages. */
import { z } from 'zod';
import { userOf } from '../../router/calling-user.ts';
import type { Others, QuerySource } from '../../router/capabilities/query-source.ts';
import { inPart, ValidationError } from '../../router/errors.ts';
import { documented, operation } from '../../router/operation.ts';
import { Analysis } from '../analytics/index.ts';
import { Description, Source, Title } from '../repository/index.ts';
import { OthersText, parseOthers } from './others.ts';
import { EmbedQueryAnswer } from './schemas.ts';
import { shownAnswer } from './shown-answer.ts';
import { VIEW_ANSWER_TOOL } from './tools.ts';
import { parseWithout, WithoutText } from './without.ts';

const AnswerRequest = z
  .strictObject({
    title: Title.optional(),
    description: Description.optional(),
    source: Source,
    analytics: Analysis.optional(),
    others: OthersText,
    without: WithoutText,
  })
  .meta({ id: 'ViewAnswerRequest' });

/** Makes the operation that answers a request as `sources` answer saved queries, with the rights of the caller. */
export function answerOperations(sources: readonly QuerySource[]) {
  return {
    answer: operation({
      summary: 'Answer a query that is not saved, in the shape of an embed’s answer',
      access: 'user',
      answersViewers: true,
      tool: VIEW_ANSWER_TOOL,
      rest: { method: 'POST', path: '/rest/service/api/view/answer', body: '*' },
      implementationChoice: 'The whole operation. Mistakes are reported under `source.request`, with their candidates.',
    })
      .input(AnswerRequest)
      .output(documented(EmbedQueryAnswer))
      .mutation(async ({ ctx, input, signal }) => {
        const { title = '', description, analytics, others, without } = input;
        const { surface, request } = input.source;
        const source = sources.find((each) => each.surface === surface);
        if (source === undefined)
          throw ValidationError.at(
            ['source', 'surface'],
            `There is no query surface "${surface}".`,
            sources.map((each) => each.surface),
          );
        const scope = userOf(ctx);
        const inRequest = <Result>(work: () => Result | Promise<Result>) => inPart(['source', 'request'], work);
        const prepared = await inRequest(() => source.prepare(request));
        const rest: Others | undefined = others === undefined ? undefined : parseOthers(others, prepared.dimensions);
        const keys = without === undefined ? undefined : parseWithout(without, prepared.dimensions);
        const whole = rest === undefined && keys === undefined;
        if (analytics !== undefined && whole)
          await inPart(['analytics'], () => prepared.checkTimeAxis(analytics.timeAxis));
        if (keys !== undefined) {
          const { meta } = await inRequest(() => prepared.run(scope, { signal }));
          // A subtotal less its visible parts would be the hidden one.
          if (meta.suppressed !== undefined)
            throw ValidationError.at(['without'], 'The answer hides small groups, so it has no subtotals.');
        }
        const run = () => prepared.run(scope, { signal, others: rest, without: keys, ...(whole ? { analytics } : {}) });
        return shownAnswer(title, description, await (whole ? inRequest(run) : run()));
      }),
  };
}
