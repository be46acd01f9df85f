import { session } from '../shell/page-context.ts';
import './home.ts';

// Without a session the page is whole, and its parts say on their own what cannot be reached.
session.refresh().catch((error: unknown) => reportError(error));
