import { RequestFailedError } from '../api-client/client.ts';
import { msg, str } from '../words/words.ts';

/** Explains a failed sign-in. The message is the same for an unknown user and for a wrong password. */
export function describeSignInFailure(error: unknown): string {
  if (!(error instanceof RequestFailedError))
    return error instanceof Error ? error.message : msg('Something went wrong. Try again.');
  if (error.status === 401) return msg('The user name or the password is wrong.');
  if (error.status === 429) return retryText(error.retryAfterSeconds);
  return error.message;
}

function retryText(seconds: number | undefined): string {
  if (seconds === undefined) return msg('Too many attempts. Try again later.');
  const count = Math.ceil(seconds < 60 ? seconds : seconds / 60);
  if (seconds < 60)
    return count === 1
      ? msg('Too many attempts. Try again in 1 second.')
      : msg(str`Too many attempts. Try again in ${count} seconds.`);
  return count === 1
    ? msg('Too many attempts. Try again in 1 minute.')
    : msg(str`Too many attempts. Try again in ${count} minutes.`);
}
