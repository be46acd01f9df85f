import type { AskSource } from '../../router/ask-source.ts';
import type { QuerySource, SourceQuery } from '../../router/capabilities/query-source.ts';
import { type Problem, ValidationError } from '../../router/errors.ts';
import type { RequestPath } from '../../router/path.ts';
import type { RepositoryDocument } from './documents/parse.ts';
import type { SavedQuery, Source } from './documents/saved-query.ts';

/**
 * Returns the problems of a document's requests as their query surfaces report them, with paths from the document:
 * `source.request.rows[0].field`, `tiles[2].query.source.surface`.
 */
export function problemsOfSources(
  { kind, document }: RepositoryDocument,
  sources: readonly QuerySource[],
  askSources: readonly AskSource[],
): readonly Problem[] {
  if (kind === 'query') return problemsOf(document.source, ['source'], sources, document.analytics);
  if (kind === 'ai') {
    const { surface, target } = document.source;
    return problemsWith(askSources, surface, ['source'], (source) =>
      problemsThrown(['source', 'target'], () => source.checkTarget(target)),
    );
  }
  return document.tiles.flatMap(({ query }, index) =>
    query !== undefined && 'source' in query
      ? problemsOf(query.source, ['tiles', index, 'query', 'source'], sources)
      : [],
  );
}

/**
 * @param analytics of a saved query: a time axis outside the request would be revealed to every reader of the document
 */
function problemsOf(
  { surface, request }: Source,
  at: RequestPath,
  sources: readonly QuerySource[],
  analytics?: SavedQuery['analytics'],
): readonly Problem[] {
  return problemsWith(sources, surface, at, (source) => {
    let prepared: SourceQuery | undefined;
    const problems = problemsThrown([...at, 'request'], () => {
      prepared = source.prepare(request);
    });
    // Problems of the request come first: the time axis may depend on them.
    if (prepared === undefined || analytics === undefined) return problems;
    const { checkTimeAxis } = prepared;
    return problemsThrown(['analytics'], () => checkTimeAxis(analytics.timeAxis));
  });
}

function problemsWith<Each extends { readonly surface: string }>(
  sources: readonly Each[],
  surface: string,
  at: RequestPath,
  check: (source: Each) => readonly Problem[],
): readonly Problem[] {
  const source = sources.find((each) => each.surface === surface);
  if (source === undefined) {
    return [
      {
        path: [...at, 'surface'],
        message: `There is no query surface "${surface}".`,
        available: sources.map((each) => each.surface),
      },
    ];
  }
  return check(source);
}

function problemsThrown(at: RequestPath, check: () => void): readonly Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.under(at).problems;
    throw error;
  }
}
