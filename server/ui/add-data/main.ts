import { session } from '../shell/location.ts';
import '../shell/top-bar.ts';
import './page.ts';

session.refresh().catch((error: unknown) => reportError(error));
