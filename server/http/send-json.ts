import type { Response } from 'express';
import { cooperativeYield } from '../../router/cooperative-yield.ts';
import { isLong, jsonPieces } from '../../router/json-pieces.ts';

/** Sends a value as JSON: a short one at once, a long one in pieces, as fast as the caller reads. */
export async function sendJson(response: Response, body: unknown): Promise<void> {
  response.type('application/json');
  if (!isLong(body)) {
    response.send(JSON.stringify(body));
    return;
  }
  await sendPieces(response, jsonPieces(body));
}

/** Sends texts one after the other, as fast as the caller reads, and ends the answer. */
export async function sendPieces(response: Response, pieces: Iterable<string>): Promise<void> {
  const yieldTurn = cooperativeYield();
  // One listener for all waits: the compression takes `drain` over and would not remove a second one.
  let goOn = (): void => undefined;
  response.on('drain', () => goOn());
  response.once('close', () => goOn());
  for (const piece of pieces) {
    const isFull = !response.write(piece);
    if (response.destroyed) return;
    if (isFull) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    await yieldTurn();
    if (response.destroyed) return;
  }
  response.end();
}
