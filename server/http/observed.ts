/** Who watches what the requests of an application do. */
import type { Express, Request } from 'express';
import type { Observer } from '../../router/capabilities/observer.ts';

const OBSERVER = 'service observer';

/** Has all operations that are called by requests of this application watched. */
export function setObserver(app: Express, observer: Observer | undefined): void {
  app.set(OBSERVER, observer);
}

export function observerOf(request: Request): Observer | undefined {
  // Set above and nowhere else.
  return request.app.get(OBSERVER) as Observer | undefined;
}
