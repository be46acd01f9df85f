/**
 * A chat that shows the pages of tools, with the host's side of MCP Apps as its makers publish it (`AppBridge`). The page that it
 * shows is in a frame of its own within a sandbox of another origin, as the extension's example has it. The client of the server is outside of this page:
 * `callServer` passes calls on, and `tookMessage` receives the questions of the page.
 */
import { AppBridge, type McpUiHostContext, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

interface Outside {
  callServer(name: string, args: Record<string, unknown>): Promise<Parameters<AppBridge['sendToolResult']>[0]>;
  tookMessage(text: string): Promise<void>;
  host: {
    show(page: Shown): Promise<void>;
    setContext(context: McpUiHostContext): void;
  };
}

interface Shown {
  readonly html: string;
  readonly sandbox: string;
  readonly input: Record<string, unknown>;
  readonly result: Parameters<AppBridge['sendToolResult']>[0];
  readonly context: McpUiHostContext;
}

declare global {
  interface Window extends Outside {}
}

let bridge: AppBridge | undefined;

window.host = {
  async show({ html, sandbox, input, result, context }) {
    const frame = document.createElement('iframe');
    frame.title = 'Answer';
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
    const ready = new Promise<void>((resolve) => {
      window.addEventListener('message', ({ source, data }) => {
        if (source === frame.contentWindow && data?.method === 'ui/notifications/sandbox-proxy-ready') resolve();
      });
    });
    frame.src = sandbox;
    document.querySelector('#answer')?.replaceChildren(frame);
    await ready;
    const target = frame.contentWindow;
    if (target === null) throw new Error('the frame has no window');
    const info = { name: 'Chat of a test', version: '1' };
    const made = new AppBridge(null, info, { serverTools: {}, message: { text: {} } }, { hostContext: context });
    bridge = made;
    made.oncalltool = ({ name, arguments: args = {} }) => window.callServer(name, args);
    made.onmessage = async ({ content }) => {
      for (const block of content) if (block.type === 'text') await window.tookMessage(block.text);
      return {};
    };
    made.onsizechange = ({ height }) => {
      if (height !== undefined) frame.style.height = `${height}px`;
    };
    const initialized = new Promise<void>((resolve) => {
      made.oninitialized = () => resolve();
    });
    await made.connect(new PostMessageTransport(target, target));
    await made.sendSandboxResourceReady({ html });
    await initialized;
    await made.sendToolInput({ arguments: input });
    await made.sendToolResult(result);
  },
  setContext: (context) => bridge?.setHostContext(context),
};
document.documentElement.dataset.ready = 'true';
