/** The baseline of semantic queries: Express that runs the statement of a path, `/0`, `/1` and so on. `bare-statements.ts PORT DATABASE SQL …` */
import { DuckDBInstance } from '@duckdb/node-api';
import express from 'express';

const [port, database = '', ...statements] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();
const app = express();
app.disable('etag');
for (const [path, sql] of statements.entries()) {
  app.post(`/${path}`, express.json(), async (_request, response) => {
    const reader = await connection.runAndReadAll(sql);
    response.json({ rows: reader.getRowObjectsJson() });
  });
}
app.listen(Number(port), '127.0.0.1');
