/** The baseline of waits: a server of Node that answers at once and does nothing else. `bare-health.ts PORT` */
import { createServer } from 'node:http';

createServer((_request, response) => response.end('{"status":"ok"}')).listen(Number(process.argv[2]), '127.0.0.1');
