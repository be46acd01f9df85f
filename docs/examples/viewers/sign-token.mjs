// Signs embed tokens in the backend of a host page (npm install jose). Nothing is stored, so any number of viewers is fine.
import { createServer } from 'node:http';
import { SignJWT } from 'jose';

const secret = Buffer.from(process.env.EMBED_JWT_SECRET ?? '');

/** Returns the token of one signed-in visitor for one document. */
export function embedToken(visitor, kind, path) {
  return new SignJWT({
    owner: 'host', // the user whose roles it reads with, named in service.embed.jwt.owners
    resource: { kind, path },
    attributes: { regions: visitor.regions },
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://shop.example.com')
    .setAudience('analytics')
    .setSubject(visitor.id)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(secret);
}

/** Answers the element's `getToken`: GET /embed-token?kind=query&path=shared/sales.service */
export function tokenServer(visitorOf) {
  return createServer(async (request, response) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    const visitor = visitorOf(request); // from your own session
    const token = visitor && (await embedToken(visitor, searchParams.get('kind'), searchParams.get('path')));
    response.writeHead(token ? 200 : 401, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(token ? { token } : { error: 'sign in first' }));
  });
}
