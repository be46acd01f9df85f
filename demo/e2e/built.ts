import { spawnSync } from 'node:child_process';

/** The tests drive what `npm start` runs, so it has to be built from the sources as they are. */
export default function built(): void {
  const { status } = spawnSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'scripts/build.ts', '--if-needed'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the product does not build');
}
