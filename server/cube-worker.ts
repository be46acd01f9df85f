/** The entry of a thread that runs the engines of cubes. */
import { parentPort } from 'node:worker_threads';
import { hostEngines } from '../plugins/cube/engine/thread-host.ts';
import { DIALECTS } from './warehouse/dialects.ts';

if (parentPort !== null) hostEngines(parentPort, DIALECTS);
