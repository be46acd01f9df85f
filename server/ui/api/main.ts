import { session } from '../frame/here.ts';
import '../frame/top-bar.ts';
import { prepared, type ViewerRequest } from './request.ts';

declare global {
  interface Window {
    /** Of `viewer/swagger-ui-bundle.js`, which a plain tag loads before this module runs. Undefined when it could not be loaded. */
    readonly SwaggerUIBundle?: (options: Readonly<Record<string, unknown>>) => unknown;
  }
}

const DOCUMENT = '/rest/service/api/openapi.json';

/**
 * The page has its own head and shows its own server only. A deep link inside a button would be two controls in one; the
 * address still follows what is opened.
 */
const nothing = () => null;
const plainText = ({ text }: { readonly text: string }) => text;
const ownFrame = () => ({
  components: { InfoContainer: nothing, ServersContainer: nothing, DeepLink: plainText },
});

if (window.SwaggerUIBundle === undefined) {
  const place = document.querySelector('#viewer');
  const link = Object.assign(document.createElement('a'), { href: DOCUMENT, textContent: DOCUMENT });
  const words = Object.assign(document.createElement('p'), { className: 'viewer-wait' });
  words.setAttribute('role', 'alert');
  words.append('The viewer could not be loaded. The document it shows is at ', link, '.');
  place?.replaceChildren(words);
} else {
  window.SwaggerUIBundle({
    url: DOCUMENT,
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // The default asks a server of somebody else whether this document is valid, and so tells it of this server.
    validatorUrl: null,
    plugins: [ownFrame],
    requestInterceptor: (request: ViewerRequest) => prepared(request, document.cookie),
  });
}

session.refresh().catch((error: unknown) => reportError(error));
