/**
 * Publishes in a process that kills itself before the n-th time that it renames or removes a file:
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
