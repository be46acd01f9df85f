/** The baseline of large answers: Express that sends the rows of one statement of DuckDB as NDJSON. `bare-stream.ts PORT DATABASE` */
import { once } from 'node:events';
import { DuckDBInstance } from '@duckdb/node-api';
import express from 'express';

const [port, database = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
const app = express();
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
app.get('/rows', async (_request, response) => {
  const connection = await instance.connect();
  const result = await connection.stream(
    'SELECT id, day, city, SUM(amount) AS amount FROM sale GROUP BY id, day, city ORDER BY id, day, city',
  );
  response.type('application/x-ndjson');
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const lines = chunk.getRows().map(([id, day, city, amount]) =>
      JSON.stringify({
        'sale.id': Number(id),
        'sale.day': String(day),
        'sale.city': city,
        amount: Number(String(amount)),
      }),
    );
    if (!response.write(`${lines.join('\n')}\n`)) await once(response, 'drain');
  }
  connection.closeSync();
  response.end();
});
app.listen(Number(port), '127.0.0.1');
