/** A chat with MCP Apps for tests: `demo/host-pages/chat`, and the sandbox in which it shows pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { serveHost } from './host-page.ts';

/** The policy of a page that names no origins, by the specification of MCP Apps. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

const CHAT = `<!doctype html><html lang="en"><head><title>Chat</title><meta name="viewport" content="width=device-width">
<style>
  body { margin: 0; padding: 24px; font: 15px/1.5 system-ui, sans-serif; background: #faf9f7; color: #222; }
  body.dark { background: #1b1b1f; color: #ddd; }
  #chat { max-width: 720px; margin: 0 auto; }
  .said { width: fit-content; max-width: 80%; margin: 0 0 16px auto; padding: 8px 14px; border-radius: 14px; background: #e6e2da; color: #222; }
  iframe { display: block; width: 100%; height: 120px; border: 0; color-scheme: normal; }
</style></head>
<body><div id="chat"><p class="said">Which regions sell most?</p><div id="answer"></div></div><script type="module" src="/host.js"></script></body></html>`;

/** Relays messages between the chat and the page within, which gets this document's policy. */
const SANDBOX = `<!doctype html><html lang="en"><head><title>Sandbox</title><style>html, body { margin: 0; height: 100%; overflow: hidden; } iframe { width: 100%; height: 100%; border: 0; }</style></head>
<body><script>
  const inner = document.createElement('iframe');
  inner.title = 'Page';
  inner.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  document.body.append(inner);
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data.method === 'ui/notifications/sandbox-resource-ready') {
      const { contentDocument } = inner;
      contentDocument.open();
      contentDocument.write(data.params.html);
      contentDocument.close();
    } else if (source === parent) inner.contentWindow.postMessage(data, '*');
    else if (source === inner.contentWindow) parent.postMessage(data, '*');
  });
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script></body></html>`;

export interface ChatHost {
  readonly url: string;
  readonly sandbox: string;
  stop(): Promise<void>;
}

export async function serveChat(): Promise<ChatHost> {
  const folder = mkdtempSync(join(tmpdir(), 'service-chat-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      lib: { entry: resolve('demo/host-pages/chat/src/host.ts'), formats: ['es'], fileName: () => 'host.js' },
    },
  });
  const chat = await serveHost({ pages: { '/': CHAT }, directory: folder });
  const sandbox = await serveHost({
    pages: { '/sandbox.html': SANDBOX },
    headers: { 'content-security-policy': POLICY },
  });
  return {
    url: chat.url,
    sandbox: `${sandbox.url}/sandbox.html`,
    async stop() {
      await chat.stop();
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
