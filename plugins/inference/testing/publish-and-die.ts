/**
 * Publishes in a process of its own, which kills itself before the n-th time that a file is put into its place or removed:
 * `publish-and-die.ts HOME N`.
 */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [, , home = '', step = ''] = process.argv;

const { publishShop } = await import('./publish-shop.ts');
let left = Number(step);
for (const name of ['rename', 'rm', 'unlink'] as const) {
  const original: (...given: never[]) => Promise<void> = promises[name];
  Object.assign(promises, {
    [name]: (...given: never[]) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return original(...given);
    },
  });
}
syncBuiltinESMExports();
await publishShop(home);
