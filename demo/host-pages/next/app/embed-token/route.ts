import { mint } from '../analytics.ts';

/** Answers the element's `getToken`. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const minted = await mint(searchParams.get('kind') ?? 'query', searchParams.get('path') ?? '');
  return Response.json(minted, { headers: { 'cache-control': 'no-store' } });
}
