import { session } from '../shell/page-context.ts';
import '../shell/top-bar.ts';
import './page.ts';

session.refresh().catch((error: unknown) => reportError(error));
