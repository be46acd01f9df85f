/** Writes long answers of the typed client's calls: tRPC writes a whole response at once, which would block the event loop. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { isLong, jsonPieces } from '../../router/json-pieces.ts';
import { sendPieces } from './send-json.ts';

/** Keeps the long outputs of one response's calls, and writes them in pieces in place of tRPC's placeholders. */
export class LongAnswers {
  readonly #outputs = new Map<string, unknown>();

  /** Returns a short output unchanged; for a long one, which it keeps, an unpredictable placeholder. */
  readonly holdBack = (output: unknown): unknown => {
    if (!isLong(output)) return output;
    const key = `long-answer-${randomUUID()}`;
    this.#outputs.set(key, output);
    return key;
  };

  /** Makes the response write the outputs that are kept by the time it is written. */
  fillIn(response: Response): void {
    const { write, end } = response;
    const written: Buffer[] = [];
    const take = (chunk: unknown): void => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) written.push(Buffer.from(chunk));
    };
    response.write = (...args: unknown[]): boolean => {
      if (this.#outputs.size === 0) return Reflect.apply(write, response, args);
      take(args[0]);
      return true;
    };
    response.end = (...args: unknown[]): Response => {
      Object.assign(response, { write, end });
      if (this.#outputs.size === 0) return Reflect.apply(end, response, args);
      take(args[0]);
      void sendPieces(response, this.#pieces(Buffer.concat(written).toString()));
      return response;
    };
  }

  *#pieces(text: string): Generator<string> {
    for (const part of text.split(/("long-answer-[\da-f-]{36}")/)) {
      const output = this.#outputs.get(part.slice(1, -1));
      if (output === undefined) yield part;
      else yield* jsonPieces(output);
    }
  }
}
