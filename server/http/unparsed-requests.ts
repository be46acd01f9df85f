/** Answers requests that Node cannot parse, as JSON with a message. */
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly message: string;
}

/** Time for which the rest of a refused request is read and discarded: a caller that is still sending would miss the answer. */
const DRAIN_MS = 2_000;

/**
 * Answers requests that Node's parser refuses, unknown methods and expectations, and requests without a host, which Node would end without a useful
 * answer.
 *
 * @returns the listener of requests, in front of `answer`
 */
export function answerUnparsed(server: Server, maxHeaderBytes: number, answer: RequestListener): RequestListener {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket);
    // The caller has left, or its answer has begun: there is nothing to write.
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) socket.destroy();
    else send(socket, refusalOf(error, maxHeaderBytes));
  });
  server.on('connect', (_request, socket: Duplex) => send(socket, UNSERVED_METHOD));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    refuse(request, response, {
      status: 417,
      error: 'EXPECTATION_FAILED',
      message: 'Of the header Expect only 100-continue is served.',
    }),
  );
  return (request, response) => {
    answering.set(request.socket, response);
    response.once('close', () => {
      if (answering.get(request.socket) === response) answering.delete(request.socket);
    });
    if (request.httpVersion === '1.1' && request.headers.host === undefined) refuse(request, response, NO_HOST);
    else answer(request, response);
  };
}

const UNSERVED_METHOD: Refusal = {
  status: 501,
  error: 'NOT_IMPLEMENTED',
  message: 'There is no such method here. Operations take GET, POST, PUT and DELETE.',
};

const NO_HOST: Refusal = {
  status: 400,
  error: 'MALFORMED_REQUEST',
  message: 'A request of HTTP 1.1 has the header Host.',
};

function refusalOf({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        error: 'HEADERS_TOO_LARGE',
        message: `The address and the headers of a request have at most ${maxHeaderBytes} bytes together. Send fewer or smaller cookies, or move the query of the address into a body. The administrator sets service.http.maxHeaderBytes.`,
      };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        status: 413,
        error: 'BODY_TOO_LARGE',
        message: 'The extensions of the chunks of the body are too large.',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, error: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time. Send it again.' };
    case 'HPE_INVALID_METHOD':
      return UNSERVED_METHOD;
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return {
        status: 505,
        error: 'HTTP_VERSION_NOT_SUPPORTED',
        message: 'HTTP 1.0 and 1.1 are served here; a proxy in front may serve others.',
      };
    default:
      return {
        status: 400,
        error: 'MALFORMED_REQUEST',
        message:
          'This is not an HTTP 1.1 request: its request line, its headers or the frame of its body cannot be read.',
      };
  }
}

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  Connection: 'close',
} as const;

function refuse(request: IncomingMessage, response: ServerResponse, { status, ...refusal }: Refusal): void {
  const body = JSON.stringify(refusal);
  response.writeHead(status, headersOf(body)).end(body);
  request.resume();
}

function headersOf(body: string): Readonly<Record<string, string>> {
  return { ...HEADERS, 'Content-Length': String(Buffer.byteLength(body)) };
}

/** Writes an answer without a response object, and closes the connection once the answer has been read. */
function send(socket: Duplex, { status, ...refusal }: Refusal): void {
  if (socket.writableEnded) return;
  const body = JSON.stringify(refusal);
  const lines = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
  // With unread bytes, closing would reset the connection and lose the answer.
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS);
  socket.once('close', () => clearTimeout(timer));
}
