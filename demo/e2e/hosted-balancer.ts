/** Implements a minimal load balancer: it sends requests to the nodes in turn, like nginx. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** Sends every request to this node while set. */
  only: string | undefined;
  /** Number of requests without an answer because their node died. */
  readonly unanswered: number;
  stop(): Promise<void>;
}

/** @param nodes returns the addresses of all nodes, including dead ones */
export async function startBalancer(nodes: () => readonly string[]): Promise<Balancer> {
  let turn = 0;
  let unanswered = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk);
    const all = nodes();
    const order = made.only === undefined ? all.map((_, index) => all[(turn + index) % all.length]) : [made.only];
    turn++;
    for (const node of order) {
      const outcome = await passedOn(node ?? '', incoming, Buffer.concat(body), outgoing);
      if (outcome === 'answered') return;
      if (outcome === 'unanswered') {
        // The dead node may have executed the request, so another node repeats it only if the sender allows that.
        unanswered++;
        break;
      }
    }
    outgoing.writeHead(502).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    only: undefined as string | undefined,
    get unanswered() {
      return unanswered;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

function passedOn(
  node: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<'answered' | 'unreachable' | 'unanswered'> {
  return new Promise((resolve) => {
    const sent = request(new URL(url ?? '/', node), { method, headers, agent: false }, (answer) => {
      answer.on('error', () => outgoing.destroy());
      answer.on('end', () => resolve('answered')).on('close', () => resolve('answered'));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'unreachable' : 'unanswered'),
    );
    sent.end(body);
  });
}
