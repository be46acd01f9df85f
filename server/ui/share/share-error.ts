import { RequestFailedError } from '../api-client/client.ts';
import { msg } from '../words/words.ts';

/** Describes a failed action for the user. `kind` decides what the dialog offers. */
export interface ShareError {
  readonly kind: 'signed-out' | 'limit' | 'public-already' | 'forbidden' | 'gone' | 'unreachable' | 'other';
  readonly title: string;
  readonly message: string;
}

export function toShareError(error: unknown): ShareError {
  if (!(error instanceof RequestFailedError))
    return {
      kind: 'other',
      title: msg('That did not work'),
      message: error instanceof Error ? error.message : msg('Something went wrong. Try again.'),
    };
  const { message, status, code } = error;
  // The server's message addresses developers of clients.
  if (code === 'CSRF_REJECTED')
    return { kind: 'other', title: msg('This page is out of date'), message: msg('Reload the page, then try again.') };
  if (code === 'TOKEN_LIMIT') return { kind: 'limit', title: msg('No more tokens'), message };
  if (code === 'GRANT_EXISTS') return { kind: 'public-already', title: msg('It is already public'), message };
  switch (status) {
    case undefined:
      return { kind: 'unreachable', title: msg('No answer'), message };
    case 401:
      return {
        kind: 'signed-out',
        title: msg('You are no longer signed in'),
        message: msg('Sign in to continue. Your choices are kept.'),
      };
    case 403:
      return { kind: 'forbidden', title: msg('Not allowed'), message };
    case 404:
      return { kind: 'gone', title: msg('It no longer exists'), message };
    default:
      return { kind: 'other', title: msg('That did not work'), message };
  }
}
