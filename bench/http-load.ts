/**
 * A client of HTTP/1.1 that costs little beside the measured server: each connection sends one prepared request after the
 * other, and only finds the end of each answer.
 */
import { connect, type Socket } from 'node:net';

export interface Read {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text that is sent with `POST`; without it, the request is a `GET`. */
  readonly body?: string;
}

export interface LoadOptions {
  readonly port: number;
  /** The reads of each connection, one after the other, again and again. */
  readonly connections: readonly (readonly Read[])[];
  /** Answers to wait for on each connection. */
  readonly reads: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly reads: number;
  /** The time of each read, in milliseconds of the clock. */
  readonly times: readonly number[];
}

/** Reads again and again, and measures the rate. @throws Error for an answer other than 200 */
export async function readAll({ port, connections, reads: readsOfEach }: LoadOptions): Promise<Rate> {
  const begun = performance.now();
  const ofConnections = await Promise.all(connections.map((reads) => readAgain(port, reads, readsOfEach)));
  const times = ofConnections.flat();
  return { reads: times.length, times, perSecond: (times.length * 1_000) / (performance.now() - begun) };
}

/** Returns the milliseconds of each read. */
async function readAgain(port: number, reads: readonly Read[], answers: number): Promise<readonly number[]> {
  const requests = reads.map(({ path, headers = {}, body }) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...length }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
  });
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const times: number[] = [];
  try {
    while (times.length < answers) {
      const request = requests[times.length % requests.length] ?? Buffer.alloc(0);
      const begun = performance.now();
      await answerOf(socket, request);
      times.push(performance.now() - begun);
    }
  } finally {
    socket.destroy();
  }
  return times;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

function answerOf(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = (error?: Error) => {
      socket.off('data', onData).off('close', onClose).off('error', settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = () => settle(new Error('the server closed the connection'));
    const onData = (data: Buffer) => {
      received = received.length === 0 ? data : Buffer.concat([received, data]);
      const end = received.indexOf(HEAD_END);
      if (end < 0) return;
      const start = received.toString('latin1', 0, end);
      if (!start.startsWith('HTTP/1.1 200')) settle(new Error(received.toString()));
      const length = /\r\ncontent-length: (\d+)/i.exec(start)?.[1];
      const isWhole =
        length === undefined
          ? received.subarray(-CHUNKS_END.length).equals(CHUNKS_END)
          : received.length >= end + HEAD_END.length + Number(length);
      if (isWhole) settle();
    };
    socket.on('data', onData).on('close', onClose).on('error', settle);
    socket.write(request);
  });
}
