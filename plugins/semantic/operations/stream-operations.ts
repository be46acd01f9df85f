/** Requests whose answers are sent while they come from the warehouse. */
import { z } from 'zod';
import { userOf } from '../../../router/calling-user.ts';
import { ROW_FORMATS, type RowFormat } from '../../../router/file-formats.ts';
import { Documented, operation } from '../../../router/operation.ts';
import { FileLocale, streamedRows } from '../../files/index.ts';
import { withNameProblems } from '../../query-surface/index.ts';
import { prepare } from '../prepare.ts';
import { answerRows, compile, isStreamable } from '../query/pipeline.ts';
import { SemanticQueryRequest } from '../schemas.ts';
import { type Dependencies, ROOT } from './dependencies.ts';
import { nameCheck } from './name-check.ts';

const formats = Object.keys(ROW_FORMATS) as [RowFormat, ...RowFormat[]];

export function streamOperations(parts: Dependencies) {
  const { catalogs, cache, settings, maxStreamedRows } = parts;
  const MaxRows = z
    .int('maxrows must be a whole number')
    .min(1, 'maxrows must be greater than 0')
    .max(maxStreamedRows, `maxrows must be at most ${maxStreamedRows}`)
    .optional()
    .describe('The most rows to answer; by default the server’s service.query.maxStreamedRows.');
  return {
    queryStream: operation({
      summary: 'Answer a typed query with any number of rows, sent while they come',
      description: `The request of \`/query\`, answered as ${formats.map((format) => `\`${format}\` (${ROW_FORMATS[format].description})`).join(', ')}. Rows have the values of the ordinary answer, without their formatted texts; values of small groups are null. NDJSON begins with \`{"$columns": [...]}\` and ends with \`{"$end": {"rowCount", "truncated", "suppressed"}}\`, or after a failure with \`{"$error": {...}}\`. CSV and Arrow end with the trailers \`Service-Row-Count\`, \`Service-Truncated\` and \`Service-Suppressed-Rows\`; a failure breaks the connection before its end. The time limit of a statement counts until the last row is sent. A caller that leaves stops the statement.`,
      access: 'user',
      answersViewers: true,
      rest: {
        method: 'POST',
        path: `${ROOT}/query/stream`,
        body: '*',
        query: ['format', 'maxrows', 'locale'],
        contentType: ROW_FORMATS.ndjson.contentType,
        fileTypes: [ROW_FORMATS.csv.contentType, ROW_FORMATS.arrow.contentType],
      },
      implementationChoice:
        'The operation. The answer is neither kept nor taken from kept answers. Queries with `fill`, with `compare`, or with rows, columns and a limit are answered as `/query` answers them, with its limits, and then sent.',
    })
      .use((step) => withNameProblems(step, nameCheck(catalogs, step.ctx)))
      .input(
        SemanticQueryRequest.extend({
          format: z.enum(formats).default('ndjson').describe('The format of the answer; default `ndjson`.'),
          maxrows: MaxRows,
          locale: FileLocale,
        }),
      )
      .output(new Documented(z.string()))
      .mutation(async ({ ctx, input, signal }) => {
        const { format, maxrows = maxStreamedRows, locale = 'en', ...request } = input;
        const { limit = Number.POSITIVE_INFINITY } = request;
        // A limit of at most `maxrows` applies. A higher one counts as none, so that the answer is marked as cut.
        const bounded = { ...request, limit: limit <= maxrows ? request.limit : undefined };
        const { target, compiled } = await prepare(bounded, userOf(ctx), parts, {
          signal,
          compileRequest: (asked, at, scope, context) => {
            const whole = compile(asked, at, scope, context);
            return isStreamable(whole) ? compile(asked, at, scope, { ...context, maxRows: maxrows }) : whole;
          },
        });
        const rows = await answerRows(compiled, target, cache, settings, signal);
        return streamedRows(rows, { title: target.model.name, format, locale });
      }),
  };
}
