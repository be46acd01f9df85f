import { session } from '../shell/page-context.ts';
import './home.ts';

// Without a session the page still works; each part reports its own failure.
session.refresh().catch((error: unknown) => reportError(error));
