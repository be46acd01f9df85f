/** What every page begins with: the frame, and the session. */
import { session } from './page-context.ts';
import './frame.ts';

// Without a session the page still works; each part reports its own failure.
session.refresh().catch((error: unknown) => reportError(error));
