/** The baseline of small queries behind heavy ones: Express that runs two statements, each on a free connection. `bare-behind.ts PORT DATABASE SMALL HEAVY` */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import express from 'express';

const [port, database = '', small = '', heavy = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
const free: DuckDBConnection[] = [];
const app = express();
app.disable('etag');
for (const [path, sql] of Object.entries({ '/small': small, '/heavy': heavy })) {
  app.post(path, express.json(), async (request, response) => {
    const { filters }: { readonly filters: readonly [{ readonly value: number }] } = request.body;
    const connection = free.pop() ?? (await instance.connect());
    const reader = await connection.runAndReadAll(sql, [filters[0].value]);
    free.push(connection);
    response.json({ rows: reader.getRowObjectsJson() });
  });
}
app.listen(Number(port), '127.0.0.1');
