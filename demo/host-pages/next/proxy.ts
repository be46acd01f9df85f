/** Gives each page the policy of a careful host: scripts by a nonce, data of this page and of the analytics server only. */
import { type NextRequest, NextResponse } from 'next/server';
import { server } from './app/analytics.ts';

export function proxy(request: NextRequest): NextResponse {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `connect-src 'self' ${new URL(server()).origin}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

export const config = { matcher: '/' };
