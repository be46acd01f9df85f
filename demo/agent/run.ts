/** `API_KEY=… npx tsx demo/agent/run.ts [address]`: prints the transcript of an agent that makes every mistake once. */
import { playAgent } from './agent.ts';

const key = process.env.API_KEY;
if (key === undefined || key === '' || process.argv.includes('--help')) {
  console.error('API_KEY=<key> npx tsx demo/agent/run.ts [address, default http://localhost:8080]');
  process.exit(2);
}
await playAgent({ url: process.argv[2] ?? 'http://localhost:8080', key, write: (line) => console.log(line) });
