import { serviceClient } from 'service/client';

const service = serviceClient({
  url: process.env.SERVICE_URL ?? 'http://localhost:8080',
  apiKey: process.env.API_KEY ?? '',
});

const answer = await service.semantic.query.mutate({
  connection: 'demo',
  model: 'shop',
  rows: [{ dataset: 'stores', field: 'region' }],
  values: [{ metric: 'net_sales' }],
  sorts: [{ metric: 'net_sales', direction: 'DESC' }],
});
if ('records' in answer) {
  for (const record of answer.records) console.log(record['stores.region'], record.net_sales);
}
