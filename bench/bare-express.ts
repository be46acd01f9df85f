/** The baseline of reads: Express that sends the same bytes at every address. `bare-express.ts PORT FILE [ENCODING]` */
import { readFileSync } from 'node:fs';
import express from 'express';

const [port, file = '', encoding] = process.argv.slice(2);
const bytes = readFileSync(file);
const app = express();
app.disable('etag');
app.use((_request, response) => {
  response.type('application/json');
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.send(bytes);
});
app.listen(Number(port), '127.0.0.1');
