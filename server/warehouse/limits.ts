import { onAbort } from '../../router/abort.ts';
import { CancelledError, type ServiceError, TimeoutError } from '../../router/errors.ts';

/**
 * Time that a stopped caller waits for the engine's confirmation, in milliseconds. After that it gets its error, and the engine stops in the
 * background.
 */
const CONFIRMATION_MS = 250;
/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The caller's cancellation and the time limit of one statement, as one signal. The time counts from the call to the last row, with the wait for a
 * connection and for a slow reader of a stream, so no connection is used for longer.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The reason of the stop: `CancelledError` or `TimeoutError`; `undefined` while the statement may continue. */
  readonly reason: ServiceError | undefined;
  /** Returns `work`, or rejects with `reason` when the limits end first and `work` does not follow soon. */
  within<T>(work: Promise<T>): Promise<T>;
  dispose(): void;
}

/** @param stopper another signal that cancels the statement, such as an administrator's */
export function startDeadline(caller: AbortSignal | undefined, timeoutMs: number, stopper?: AbortSignal): Deadline {
  const controller = new AbortController();
  let reason: ServiceError | undefined;
  const stop = (why: ServiceError): void => {
    reason ??= why;
    controller.abort(reason);
  };
  const cancel = (): void => stop(new CancelledError('The query was cancelled.'));
  const timer = setTimeout(
    () => stop(new TimeoutError(`The query took longer than ${timeoutMs / 1000} s and was stopped.`)),
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  if (caller?.aborted) cancel();
  const leave = onAbort(caller, cancel);
  const leaveStopper = onAbort(stopper, cancel);

  return {
    signal: controller.signal,
    get reason() {
      return reason;
    },
    async within(work) {
      let confirmation: NodeJS.Timeout | undefined;
      let giveUp = (): void => undefined;
      const givenUp = new Promise<never>((_resolve, reject) => {
        giveUp = () => {
          confirmation = setTimeout(() => reject(controller.signal.reason), CONFIRMATION_MS);
        };
      });
      if (controller.signal.aborted) giveUp();
      else controller.signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await Promise.race([work, givenUp]);
      } finally {
        clearTimeout(confirmation);
        controller.signal.removeEventListener('abort', giveUp);
      }
    },
    dispose() {
      clearTimeout(timer);
      leave();
      leaveStopper();
    },
  };
}
