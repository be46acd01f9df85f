/**
 * The baseline of semantic queries: Express that runs the statement of a path, `/0`, `/1` and so on, each on a free connection. The values of a request's
 * filters are its parameters. `bare-statements.ts PORT DATABASE SQL …`
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import express from 'express';

interface Asked {
  readonly filters?: readonly { readonly value: number }[];
}

const [port, database = '', ...statements] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
const free: DuckDBConnection[] = [];
const app = express();
app.disable('etag');
for (const [path, sql] of statements.entries()) {
  app.post(`/${path}`, express.json(), async (request, response) => {
    const { filters = [] }: Asked = request.body;
    const connection = free.pop() ?? (await instance.connect());
    const reader = await connection.runAndReadAll(
      sql,
      filters.map(({ value }) => value),
    );
    free.push(connection);
    response.json({ rows: reader.getRowObjectsJson() });
  });
}
app.listen(Number(port), '127.0.0.1');
