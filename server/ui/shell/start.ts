/** What every page begins with: the frame, and the session. */
import { session } from './page-context.ts';
import './frame.ts';

// Without a session the page still works; each part reports its own failure.
session.refresh().catch((error: unknown) => reportError(error));

// The address of a page changes without a load, also to another depth. Relative addresses of its files would then lead elsewhere.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[href]')) link.setAttribute('href', link.href);
