/** The report. The server reads the chart and writes it into the page, so that it shows without JavaScript. */
import { headers } from 'next/headers';
import { renderToString } from 'service-embed/ssr';
import { Report } from '../components/report.tsx';
import { mint, server } from './analytics.ts';

const PATH = 'shared/demo/sales-by-region.service';

export default async function Page() {
  const nonce = (await headers()).get('x-nonce') ?? '';
  const { token } = await mint('query', PATH);
  const response = await fetch(`${server()}/rest/service/api/embed/query/${PATH}`, {
    headers: { 'x-service-embed-token': token },
    cache: 'no-store',
  });
  if (!response.ok) throw new Error(`The chart cannot be read: ${response.status}`);
  // The page may be kept by nobody, but the token stays on this server all the same: the element asks for its own.
  const attributes = { server: server(), path: PATH, render: 'chart', mode: 'bar', height: '380px' };
  const painted = await renderToString({ answer: await response.json(), attributes, nonce });
  return (
    <main>
      <div className="lead">
        <h1>Region report</h1>
        <p>Sales by region, 2025.</p>
      </div>
      <Report server={server()} painted={painted} />
    </main>
  );
}
