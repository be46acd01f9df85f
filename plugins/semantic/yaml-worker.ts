/** The entry of a worker thread, which reads one text after another. */
import { parentPort } from 'node:worker_threads';
import { readYaml } from './model/yaml-text.ts';

parentPort?.on('message', (text: string) => parentPort?.postMessage(readYaml(text)));
