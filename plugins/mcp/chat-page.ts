/**
 * The page that a chat shows for an answer: one resource of the MCP Apps extension, which loads nothing else. Each start loads this file, so it
 * imports nothing of the protocol's library.
 */
import { isRecord } from '../../router/record.ts';

/** The extension's name among the capabilities of a client. */
const EXTENSION = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';

export const CHAT_PAGE_URI = 'ui://service/answer.html';

/** Sessions of clients that show pages begin with this: a request of the protocol of 2025 does not repeat what its client can. */
export const APPS_SESSION = 'apps-';

/** Returns whether a client, by its capabilities, shows pages. */
export function showsPages(capabilities: unknown): boolean {
  if (!isRecord(capabilities) || !isRecord(capabilities.extensions)) return false;
  const extension = capabilities.extensions[EXTENSION];
  return isRecord(extension) && Array.isArray(extension.mimeTypes) && extension.mimeTypes.includes(PAGE_TYPE);
}

/** Returns the contents of the resource. @param script the built script of the page */
export function chatPage(script: string, tools: { readonly show: string; readonly paint: string }) {
  const inlined = script
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
    // Within a script, only its end tag and a comment's begin would end it.
    .replace(/<(?=\/script|!--)/gi, '\\x3C');
  const text = `<!doctype html>
<html lang="en" data-show-tool="${tools.show}" data-paint-tool="${tools.paint}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Answer</title></head>
<body><script type="module">${inlined}</script></body>
</html>
`;
  // Without origins, the host's policy admits none: the page reads through the host.
  return { uri: CHAT_PAGE_URI, mimeType: PAGE_TYPE, text, _meta: { ui: { csp: {}, prefersBorder: false } } };
}
