/** The baseline of small queries: Express that runs one statement with a key of the request. `bare-query.ts PORT DATABASE SQL` */
import { DuckDBInstance } from '@duckdb/node-api';
import express from 'express';

const [port, database = '', sql = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();
const app = express();
app.disable('etag');
app.post('/', express.json(), async (request, response) => {
  const { filters }: { readonly filters: readonly [{ readonly value: number }] } = request.body;
  const reader = await connection.runAndReadAll(sql, [filters[0].value]);
  response.json({ rows: reader.getRowObjectsJson() });
});
app.listen(Number(port), '127.0.0.1');
