import { withBasePath } from '../api-client/base-path.ts';
import { createBrowserClient } from '../api-client/client.ts';
import { keepViewAs, keptViewAs } from './kept-view-as.ts';
import { Session } from './session.ts';

/** The only session of this page, shared by all its elements. */
export const session = new Session(createBrowserClient());
session.client.viewAs = keptViewAs();
// The session ends it where the user changes.
session.addEventListener('change', () => {
  if (session.client.viewAs === undefined) keepViewAs(undefined);
});

/** The address of this server for other pages and commands: `https://example.com`, with the base path of a proxy. */
export const origin = location.origin + withBasePath('');
