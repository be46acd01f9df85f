/** Work that is done at once where nothing has to be waited for, and that waits where it must. */
import { InternalError } from './errors.ts';

/** A value that is there, or that is being made. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Steps of work: a generator that yields each promise that it has to wait for, and returns the result. */
export type Steps<Result> = Iterable<Promise<void>, Result, void>;

/**
 * Returns a value that is there at once, and waits for one that is being made.
 *
 * @example
 * function* nameOf(id: string): Steps<string> {
 *   const user = yield* settled(users.find(id));
 *   return user.name;
 * }
 */
export function settled<Value>(value: Awaitable<Value>): Steps<Value> {
  return value instanceof Promise ? waited(value) : new Present(value);
}

/** A value that is there, as steps. It is much smaller than a generator, and a read takes a dozen of such steps. */
class Present<Value> implements Iterator<Promise<void>, Value, void> {
  readonly done = true;
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }

  /** Returns itself: the end of the steps, with its value. */
  next(): this {
    return this;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

function* waited<Value>(value: Promise<Value>): Steps<Value> {
  const outcomes: ({ readonly value: Value } | { readonly error: unknown })[] = [];
  yield value.then(
    (made) => void outcomes.push({ value: made }),
    (error: unknown) => void outcomes.push({ error }),
  );
  const [outcome] = outcomes;
  if (outcome === undefined) throw new InternalError('steps went on before their promise was settled');
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/**
 * Runs steps. Returns the result at once, or a promise of it where a step has to wait.
 *
 * @throws the error of a step; a promise rejects with it
 */
export function run<Result>(steps: Steps<Result>): Awaitable<Result> {
  const step = steps[Symbol.iterator]();
  const first = step.next();
  return first.done === true ? first.value : runOn(step, first.value);
}

async function runOn<Result>(step: Iterator<Promise<void>, Result, void>, waiting: Promise<void>): Promise<Result> {
  await waiting;
  for (;;) {
    const next = step.next();
    if (next.done === true) return next.value;
    await next.value;
  }
}
