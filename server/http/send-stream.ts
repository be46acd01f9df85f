import type { Response } from 'express';
import { dispositionOf } from '../../router/file-answer.ts';
import type { StreamedAnswer } from '../../router/streamed-answer.ts';

/** Sends an answer while it comes, as fast as the caller reads. A caller that leaves ends the reading. */
export async function sendStream(response: Response, { parts }: StreamedAnswer): Promise<void> {
  const { contentType, name, pieces, trailers, trailerNames } = parts;
  response.set({
    'Content-Type': contentType,
    'Content-Disposition': dispositionOf(name),
    'Cache-Control': 'no-store',
    // Proxies would collect the answer.
    'X-Accel-Buffering': 'no',
    Trailer: trailerNames.join(', '),
  });
  // One listener for all waits: the compression takes `drain` over and would not remove a second one.
  let goOn = (): void => undefined;
  response.on('drain', () => goOn());
  response.once('close', () => goOn());
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      if (response.destroyed) resolve();
    });
    if (response.destroyed) return;
  }
  response.addTrailers(trailers());
  response.end();
}
