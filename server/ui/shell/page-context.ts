import { withBasePath } from '../api-client/base-path.ts';
import { createBrowserClient } from '../api-client/client.ts';
import { Session } from './session.ts';

/** The only session of this page, shared by all its elements. */
export const session = new Session(createBrowserClient());

/** The address of this server for other pages and commands: `https://example.com`, with the base path of a proxy. */
export const origin = location.origin + withBasePath('');
