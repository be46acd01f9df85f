import '../shell/start.ts';
import './home.ts';
