/** Gives the requests of an application their observer. */
import type { Express, Request } from 'express';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { Observer, OperationActivity } from '../../router/capabilities/observer.ts';
import { requestIdOf } from './request-id.ts';

const OBSERVER = 'service observer';

/** Makes requests of this application have all their operations observed. */
export function setObserver(app: Express, observer: Observer | undefined): void {
  app.set(OBSERVER, observer);
}

export function observerOf(request: Request): Observer | undefined {
  // Only the function above sets it.
  return request.app.get(OBSERVER) as Observer | undefined;
}

/** Observes work outside the router like an operation. Of its input, only `input` is reported: names, no secrets. */
export async function observedAs<Result>(
  request: Request,
  what: Pick<OperationActivity, 'operation' | 'access' | 'writes' | 'caller'> & { readonly input?: object },
  work: (actsFor: (owner: Scope) => void) => Promise<Result>,
): Promise<Result> {
  let owner: Scope | undefined;
  const actsFor = (scope: Scope): void => {
    owner = scope;
  };
  const observer = observerOf(request);
  if (observer === undefined) return work(actsFor);
  const activity: OperationActivity = {
    kind: 'operation',
    ...what,
    get owner() {
      return owner;
    },
    address: request.ip ?? '',
    requestId: requestIdOf(request),
    input: async () => what.input,
  };
  return observer.around(activity, () => work(actsFor));
}
