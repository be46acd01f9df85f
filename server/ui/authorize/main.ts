import '../shell/start.ts';
import './page.ts';
