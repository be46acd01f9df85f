/** Answers a saved query on its surface, as a page shows it. */
import { type AnswerCheck, checkOf } from '../../router/answer-checks.ts';
import type { Drilling } from '../../router/capabilities/drilling.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { QuerySource, TabularAnswer } from '../../router/capabilities/query-source.ts';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  type ServiceError,
  ValidationError,
} from '../../router/errors.ts';
import type { DrillChoice, SavedQuery } from '../repository/index.ts';
import { parseDrill } from './drill.ts';
import { parseRuntimeFilters } from './filter.ts';
import type { CheckedAnswer } from './kept-answers.ts';
import { parseOthers } from './others.ts';
import type { ReadDependencies } from './read-document.ts';
import type { Resource } from './schemas.ts';
import { shownAnswer } from './shown-answer.ts';
import { parseWithout } from './without.ts';
import type { Narrowing } from './written-answers.ts';

export interface ReadOptions extends Narrowing {
  readonly signal: AbortSignal | undefined;
}

/** Answers a saved query, narrowed as the page asks. */
export async function answerOf(
  { sources, log }: ReadDependencies,
  { title, description, source: { surface, request }, filterable = [], drill: choice, analytics, chart }: SavedQuery,
  owner: Scope,
  resource: Resource,
  { filter, others, without, drill: steps, signal }: ReadOptions,
): Promise<CheckedAnswer> {
  return onSurface({ sources, log }, resource, surface, ['filter', 'others', 'without', 'drill'], async (source) => {
    const prepared = source.prepare(request);
    const runtimeFilters = parseRuntimeFilters(filter, [...prepared.dimensions, ...filterable]);
    const drill = parseDrill(steps, choice);
    // After a step the surface knows which dimensions the answer shows.
    const dimensions = (drill?.steps.length ?? 0) > 0 ? undefined : prepared.dimensions;
    if (others !== undefined) {
      const rest = parseOthers(others, dimensions);
      return checked(title, description, await prepared.run(owner, { signal, runtimeFilters, drill, others: rest }));
    }
    if (without !== undefined) {
      const keys = parseWithout(without, dimensions);
      const whole = await prepared.run(owner, { signal, runtimeFilters, drill });
      // A subtotal less its visible parts would be the hidden one.
      if (whole.meta.suppressed !== undefined)
        throw ValidationError.at(['without'], 'The answer hides small groups, so it has no subtotals.');
      const subtotals = await prepared.run(owner, { signal, runtimeFilters, drill, without: keys });
      // Both runs decide this answer: the whole one may be masked some day.
      return { ...checked(title, description, subtotals), isCurrent: bothCurrent(whole, subtotals) };
    }
    const answer = await prepared.run(owner, { signal, runtimeFilters, analytics, drill });
    const { answer: shown, isCurrent } = checked(title, description, answer);
    const { drilling } = answer;
    return {
      answer: {
        ...shown,
        ...(chart === undefined ? {} : { chart }),
        ...(drilling === undefined ? {} : { drill: shownDrilling(drilling, choice) }),
      },
      isCurrent,
    };
  });
}

function shownDrilling({ down, trail, rows }: Drilling, choice: DrillChoice | undefined) {
  return {
    down: down.map(({ field, label, by, leaves }) => ({
      field,
      label,
      by: [...by],
      ...(leaves === undefined ? {} : { leaves: [...leaves] }),
    })),
    trail: trail.map(({ label, text }) => ({ label, text })),
    rows: rows && (choice?.rows ?? false) !== false,
  };
}

function checked(title: string, description: string | undefined, answer: TabularAnswer): CheckedAnswer {
  return { answer: shownAnswer(title, description, answer), isCurrent: checkOf(answer) };
}

function bothCurrent(one: TabularAnswer, other: TabularAnswer): AnswerCheck | undefined {
  const [first, second] = [checkOf(one), checkOf(other)];
  if (first === undefined || second === undefined) return undefined;
  return async () => (await first()) && (await second());
}

/**
 * Works with the surface of a document's query. Mistakes at `places` of the request reach the page that wrote them; any other is one of the
 * document.
 */
export async function onSurface<Result>(
  { sources, log }: Pick<ReadDependencies, 'sources' | 'log'>,
  resource: Resource,
  surface: string,
  places: readonly string[],
  work: (source: QuerySource) => Promise<Result>,
): Promise<Result> {
  const source = sources.find((each) => each.surface === surface);
  if (source === undefined)
    throw toQueryInvalid(log, resource, surface, new NotFoundError(`There is no query surface "${surface}".`));
  try {
    return await work(source);
  } catch (error) {
    if (error instanceof ValidationError && places.includes(String(error.path?.[0]))) throw error;
    if (error instanceof ValidationError || error instanceof NotFoundError || error instanceof ForbiddenError)
      throw toQueryInvalid(log, resource, surface, error);
    throw error;
  }
}

/**
 * Makes the error of a saved request that does not fit the model (any more). Its causes name fields and candidates of
 * the model, which are for the owner and not for readers of the page.
 */
export function toQueryInvalid(log: Log, resource: Resource, surface: string, error: ServiceError): ConflictError {
  log.warn({ ...resource, surface, field: error.field, why: error.message }, 'embedded query does not fit its model');
  return new ConflictError('The embedded query no longer fits its data. Its owner can repair it.', {
    code: 'QUERY_INVALID',
    cause: error,
  });
}
