/**
 * Publishes where agents get access tokens: OAuth 2.0 Protected Resource Metadata (RFC 9728), as the authorization of MCP
 * asks for.
 */
import express, { type Request, type Router } from 'express';
import { openToPages } from './cross-origin.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The metadata for agents about one resource of this server. */
export interface ProtectedResource {
  /** Returns the address of the metadata, for `WWW-Authenticate`. */
  readonly metadataUrl: (request: Request) => string;
  readonly routes: Router;
}

export interface ResourceOptions {
  /** The addresses of this server without a slash at their end, the usual one first. */
  readonly addresses: readonly [string, ...string[]];
  /** The issuer of tokens; without it, each address of this server is one. */
  readonly issuer?: string;
  readonly scopes: readonly string[];
}

/** Returns the address of this server that a request names; the usual one for any other name. */
export function addressOf(request: Request, addresses: readonly [string, ...string[]]): string {
  const host = request.get('host')?.toLowerCase();
  return addresses.find((address) => new URL(address).host === host) ?? addresses[0];
}

/** Serves the metadata of the resource at `path`, at the address that RFC 9728 derives from it and at the server's own. */
export function protectedResource({ addresses, issuer, scopes }: ResourceOptions, path: string): ProtectedResource {
  const routes = express.Router();
  const basePath = new URL(addresses[0]).pathname.replace(/\/$/, '');
  const places = new Set([WELL_KNOWN, WELL_KNOWN + path, WELL_KNOWN + basePath + path]);
  routes.all([...places], openToPages({ methods: 'GET', requestHeaders: '*' }), (request, response) => {
    const address = addressOf(request, addresses);
    // It contains no secret.
    response.set({ 'Cache-Control': 'public, max-age=3600', Vary: 'Host' }).json({
      resource: address + path,
      authorization_servers: [issuer ?? address],
      // Without scopes, some providers grant nothing; with these, tokens identify their user.
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'service',
    });
  });
  return { metadataUrl: (request) => addressOf(request, addresses) + WELL_KNOWN + path, routes };
}
