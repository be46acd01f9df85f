/**
 * Publishes where agents get access tokens: OAuth 2.0 Protected Resource Metadata (RFC 9728), as the authorization of MCP
 * asks for.
 */
import express, { type Router } from 'express';
import type { OidcSettings } from '../oidc/settings.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The metadata for agents about one resource of this server. */
export interface ProtectedResource {
  /** Address of the metadata, for `WWW-Authenticate`. */
  readonly metadataUrl: string;
  readonly routes: Router;
}

/** Serves the metadata of the resource at `path`, at the address that RFC 9728 derives from it and at the server's own. */
export function protectedResource({ publicUrl, issuer, scopes }: OidcSettings, path: string): ProtectedResource {
  const metadata = {
    resource: publicUrl + path,
    authorization_servers: [issuer],
    // Without scopes, some providers grant nothing; with these, tokens identify their user.
    scopes_supported: scopes.split(/\s+/).filter((scope) => scope !== ''),
    bearer_methods_supported: ['header'],
    resource_name: 'service',
  };
  const routes = express.Router();
  routes.get([WELL_KNOWN, WELL_KNOWN + path], (_request, response) => {
    // Agents in a page read it, too; it contains no secret.
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' }).json(metadata);
  });
  return { metadataUrl: publicUrl + WELL_KNOWN + path, routes };
}
