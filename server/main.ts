import { run } from './cli/program.ts';

// A reader such as `head` that has seen enough is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await run(process.argv);
