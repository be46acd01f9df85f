import { withBasePath } from '../api-client/base-path.ts';
import '../parts/section-links.ts';
import { QuickStart } from '../gallery/quick-start.ts';
import { readShowcase } from '../gallery/showcase.ts';
import { session } from '../shell/page-context.ts';
import '../shell/start.ts';
import { prepareRequest, type ViewerRequest } from './prepare-request.ts';

declare global {
  interface Window {
    /**
     * Renders the reference. `viewer/swagger-ui-bundle.js` defines it before this module runs; undefined when that
     * script could not be loaded.
     */
    readonly SwaggerUIBundle?: (options: Readonly<Record<string, unknown>>) => unknown;
  }
}

const OPENAPI_PATH = withBasePath('/rest/service/api/openapi.json');

/**
 * Renders nothing. The page has its own head and shows its own server only. A deep link inside a button would be two
 * controls in one; the address still follows the opened operation.
 */
const renderNothing = () => null;
const plainText = ({ text }: { readonly text: string }) => text;
const customLayout = () => ({
  components: { InfoContainer: renderNothing, ServersContainer: renderNothing, DeepLink: plainText },
});

/** Gives the worked examples a saved query of this server; without the demo they have placeholders. */
async function fillExamples(): Promise<void> {
  const place = document.querySelector('ui-quick-start');
  if (!(place instanceof QuickStart)) return;
  const exhibits = await readShowcase(session.client, AbortSignal.timeout(EXAMPLES_TIMEOUT_MS));
  place.queryPath = exhibits.find(({ kind }) => kind === 'query')?.path;
}

const EXAMPLES_TIMEOUT_MS = 10_000;
fillExamples().catch(reportError);

if (window.SwaggerUIBundle === undefined) {
  const place = document.querySelector('#viewer');
  const link = Object.assign(document.createElement('a'), { href: OPENAPI_PATH, textContent: OPENAPI_PATH });
  const words = Object.assign(document.createElement('p'), { className: 'viewer-wait' });
  words.setAttribute('role', 'alert');
  words.append('The viewer could not be loaded. You can read the OpenAPI document: ', link, '.');
  place?.replaceChildren(words);
} else {
  window.SwaggerUIBundle({
    url: OPENAPI_PATH,
    dom_id: '#viewer',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // By default the viewer sends the address of this document to a foreign server to validate it.
    validatorUrl: null,
    plugins: [customLayout],
    requestInterceptor: (request: ViewerRequest) => prepareRequest(request, document.cookie),
  });
}
