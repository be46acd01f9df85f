/**
 * The client of the MCP Apps protocol (2026-01-26): JSON-RPC over `postMessage` with the host that shows this page. It is
 * small, so that the page stays small; the protocol's own client is ten times as long as this page.
 */
export type Json = Readonly<Record<string, unknown>>;

const PROTOCOL_VERSION = '2026-01-26';

/** The host's answer to a tool call. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Json;
  readonly _meta?: Json;
}

export interface HostContext {
  readonly theme?: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> };
}

/** Messages of the host, by their method. */
export interface Listeners {
  onInput(input: Json): void;
  onResult(result: ToolResult): void;
  onCancelled(): void;
  onContext(change: HostContext): void;
}

export interface Host {
  readonly context: HostContext;
  /** Whether the host passes on calls and takes messages. */
  readonly canCall: boolean;
  readonly canAsk: boolean;
  call(name: string, args: Json): Promise<ToolResult>;
  /** Sends a message of the user to the chat. @returns whether the host took it */
  ask(text: string): Promise<boolean>;
  reportHeight(height: number): void;
}

/** Connects to the host around this page. */
export async function connect(listeners: Listeners): Promise<Host> {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const post = (message: Json) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method: string, params: Json = {}) => post({ method, params });
  const request = (method: string, params: Json): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      post({ id, method, params });
    });

  const notifications: Readonly<Record<string, (params: Json) => void>> = {
    'ui/notifications/tool-input': ({ arguments: input }) => listeners.onInput(recordOf(input)),
    'ui/notifications/tool-result': (params) => listeners.onResult(params),
    'ui/notifications/tool-cancelled': () => listeners.onCancelled(),
    'ui/notifications/host-context-changed': (params) => listeners.onContext(params),
  };

  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent) return;
    const { id, method, params, result, error } = recordOf(data);
    if (typeof method === 'string') {
      notifications[method]?.(recordOf(params));
      if (id !== undefined)
        post(method === 'ping' || method === 'ui/resource-teardown' ? { id, result: {} } : { id, error: UNKNOWN });
      return;
    }
    const waiter = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(String(recordOf(error).message ?? '')));
  });

  const welcome = recordOf(
    await request('ui/initialize', {
      appInfo: { name: 'service', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      protocolVersion: PROTOCOL_VERSION,
    }),
  );
  notify('ui/notifications/initialized');
  const capabilities = recordOf(welcome.hostCapabilities);
  return {
    context: recordOf(welcome.hostContext),
    canCall: capabilities.serverTools !== undefined,
    canAsk: capabilities.message !== undefined,
    call: async (name, args) => recordOf(await request('tools/call', { name, arguments: args })),
    async ask(text) {
      const answer = recordOf(
        await request('ui/message', { role: 'user', content: [{ type: 'text', text }] }).catch(() => ({
          isError: true,
        })),
      );
      return answer.isError !== true;
    },
    reportHeight: (height) => notify('ui/notifications/size-changed', { height }),
  };
}

const UNKNOWN = { code: -32601, message: 'This page has no such method.' };

export function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
