/** `npx tsx demo/serve-hosts.ts`: serves the host pages on their own port, for a look at them. */
import { Command, InvalidArgumentError } from 'commander';
import { hostServer } from './host-server.ts';
import { tokenBackend } from './token-backend.ts';

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('Give a port from 0 to 65535.');
  return value;
}

const program = new Command('demo/serve-hosts')
  .description('Serves the demo host pages from another origin than the analytics server.')
  .option('--port <n>', 'port to listen on', port, 8090)
  .option('--host <address>', 'address to listen on', 'localhost')
  .option('--server <address>', 'the analytics server that the printed links name', 'http://localhost:8080')
  .option('--user <name>', 'mint tokens for the apps as this user, whose password is in SERVICE_PASSWORD')
  .action((options: { port: number; host: string; server: string; user?: string }) => {
    const password = process.env.SERVICE_PASSWORD;
    if (options.user !== undefined && password === undefined)
      program.error('error: put the password of --user into SERVICE_PASSWORD');
    const mint =
      options.user === undefined || password === undefined
        ? undefined
        : tokenBackend(options.server, options.user, password);
    const server = hostServer({ mint });
    server.on('error', (error) =>
      program.error(`error: cannot listen on ${options.host}:${options.port} (${error.message})`),
    );
    server.listen(options.port, options.host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : options.port;
      const search = `server=${encodeURIComponent(options.server)}${mint === undefined ? '' : '&tokens'}`;
      console.log(`Host pages: http://${options.host}:${bound}/?${search}`);
    });
  });

program.parse();
