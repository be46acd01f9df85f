import { below } from '../api-client/base-path.ts';
import { browserClient } from '../api-client/client.ts';
import { Session } from './session.ts';

/** The one session of this page. Every element of the page shows the same user. */
export const session = new Session(browserClient());

/** This server as other pages and commands name it: `https://example.com`, with the path that it is served below. */
export const origin = location.origin + below('');
