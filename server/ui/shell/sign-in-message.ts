import { plural } from '../../../router/plural.ts';
import { RequestFailedError } from '../api-client/client.ts';

/** Explains a failed sign-in. The message is the same for an unknown user and for a wrong password. */
export function describeSignInFailure(error: unknown): string {
  if (!(error instanceof RequestFailedError))
    return error instanceof Error ? error.message : 'Something went wrong. Try again.';
  if (error.status === 401) return 'The user name or the password is wrong.';
  if (error.status === 429) return `Too many attempts. Try again ${retryText(error.retryAfterSeconds)}.`;
  return error.message;
}

function retryText(seconds: number | undefined): string {
  if (seconds === undefined) return 'later';
  if (seconds < 60) return countText(Math.ceil(seconds), 'second');
  return countText(Math.ceil(seconds / 60), 'minute');
}

function countText(count: number, unit: string): string {
  return `in ${count} ${plural(count, unit)}`;
}
