/** A server on this machine that speaks Stripe's documented protocol: real example objects, requests checked as sent. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import Stripe from 'stripe';

export const SECRET_KEY = 'sk_test_stand_in';
export const WEBHOOK_SECRET = 'whsec_stand_in';
const FIXTURES = process.env.STRIPE_FIXTURES || resolve('../shared/stripe/fixtures.json');

/** The reason why the tests of billing cannot run here; undefined where they can. */
export const FIXTURES_MISSING = existsSync(FIXTURES)
  ? undefined
  : 'Stripe’s example objects are not here: set STRIPE_FIXTURES to their file';

export interface SeenCall {
  readonly request: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

/** The action of the stand-in instead of an answer, for the next calls. */
export type Fault =
  | {
      readonly status: number;
      readonly error: { readonly type: string; readonly code?: string; readonly param?: string };
    }
  | 'hang up'
  | 'silence';

export interface StripeStandIn {
  readonly endpoint: string;
  readonly calls: readonly SeenCall[];
  /** Faults of the next calls, in their order. */
  readonly faults: Fault[];
  readonly subscriptions: Map<string, Stripe.Subscription>;
  readonly customers: Map<string, Stripe.Customer>;
  /** Customers by their open checkouts. */
  readonly openSessions: Map<string, string>;
  close(): Promise<void>;
}

interface Fixtures {
  readonly customer: Stripe.Customer;
  readonly subscription: Stripe.Subscription;
  readonly 'checkout.session': Stripe.Checkout.Session;
  readonly 'billing_portal.session': Stripe.BillingPortal.Session;
  readonly event: Stripe.Event;
  readonly invoice: Stripe.Invoice;
}

/** Reads Stripe's own published example objects. */
export function fixtures(): Fixtures {
  const { resources }: { readonly resources: Fixtures } = JSON.parse(readFileSync(FIXTURES, 'utf8'));
  return structuredClone(resources);
}

/** Starts a stand-in. It answers the same idempotency key with the same object, and refuses the key with other parameters. */
export async function stripeStandIn(): Promise<StripeStandIn> {
  const calls: SeenCall[] = [];
  const faults: Fault[] = [];
  const subscriptions = new Map<string, Stripe.Subscription>();
  const customers = new Map<string, Stripe.Customer>();
  const openSessions = new Map<string, string>();
  const kept = new Map<string, { readonly form: string; readonly answer: object }>();
  let read: Fixtures | undefined;
  /** Read at the first call, so that a test without calls needs no examples. */
  const examples = (): Fixtures => {
    read ??= fixtures();
    return read;
  };

  const answerTo = (request: string, form: Readonly<Record<string, string>>): object | undefined => {
    const [method = '', path = ''] = request.split(' ');
    const customer = form.customer;
    const isUnknown = customer !== undefined && !customers.has(customer);
    if (isUnknown) return missing('customer');
    if (request === 'POST /v1/customers') {
      const made = {
        ...examples().customer,
        id: `cus_${customers.size + 1}`,
        email: form.email ?? null,
        metadata: { tenantId: form['metadata[tenantId]'] ?? '' },
      };
      customers.set(made.id, made);
      return made;
    }
    if (request === 'POST /v1/checkout/sessions') {
      const id = `cs_test_${randomUUID()}`;
      openSessions.set(id, customer ?? '');
      return { ...examples()['checkout.session'], id, url: `https://checkout.stripe.com/c/pay/${id}` };
    }
    if (request === 'POST /v1/billing_portal/sessions') {
      return { ...examples()['billing_portal.session'], url: 'https://billing.stripe.com/p/session/live_1' };
    }
    const { pathname, searchParams } = new URL(path, 'http://stripe');
    const of = searchParams.get('customer');
    const session = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(pathname)?.[1];
    if (method === 'POST' && session !== undefined) {
      if (!openSessions.delete(session)) return missing('session');
      return { ...examples()['checkout.session'], id: session, status: 'expired' };
    }
    if (method === 'GET' && of !== null) {
      if (!customers.has(of)) return missing('customer');
      const data =
        pathname === '/v1/subscriptions'
          ? [...subscriptions.values()].filter(({ customer, status }) => customer === of && status !== 'canceled')
          : [...openSessions].flatMap(([id, customer]) =>
              customer === of ? [{ ...examples()['checkout.session'], id }] : [],
            );
      return { object: 'list', url: pathname, has_more: false, data };
    }
    if (method === 'DELETE' && pathname.startsWith('/v1/subscriptions/')) {
      const present = subscriptions.get(pathname.slice('/v1/subscriptions/'.length));
      if (present === undefined || present.status === 'canceled') return missing('id');
      const over = { ...present, status: 'canceled' as const };
      subscriptions.set(present.id, over);
      return over;
    }
    if (method === 'GET' && path.startsWith('/v1/subscriptions/')) {
      return subscriptions.get(path.slice('/v1/subscriptions/'.length)) ?? missing('id');
    }
    return undefined;
  };

  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const form = Object.fromEntries(new URLSearchParams(text));
      const called = `${request.method} ${request.url}`;
      calls.push({ request: called, form, headers: request.headers });
      const send = (status: number, body: object) => {
        response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': `req_${calls.length}` });
        response.end(JSON.stringify(body));
      };
      const fault = faults.shift();
      if (fault === 'silence') return;
      if (fault === 'hang up') return void request.socket.destroy();
      if (fault !== undefined)
        return send(fault.status, { error: { message: `Invalid ${SECRET_KEY}`, ...fault.error } });
      if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
        return send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
      }
      const key = String(request.headers['idempotency-key'] ?? '');
      const before = kept.get(key);
      if (before !== undefined && before.form !== text) {
        return send(400, { error: { type: 'idempotency_error', message: 'Keys for idempotent requests' } });
      }
      const answer = before?.answer ?? answerTo(called, form);
      if (answer === undefined) return send(404, { error: { type: 'invalid_request_error', message: 'Unrecognized' } });
      if ('error' in answer) return send(404, answer);
      if (key !== '') kept.set(key, { form: text, answer });
      send(200, answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    calls,
    faults,
    subscriptions,
    customers,
    openSessions,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function missing(param: string): object {
  return { error: { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${param}` } };
}

/** Makes an event as Stripe sends it: its text and the signature of the text. */
export async function signedEvent(
  event: { readonly id: string; readonly type: string; readonly created: number; readonly object: object },
  { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1_000) } = {},
): Promise<{ readonly body: string; readonly headers: { readonly 'stripe-signature': string } }> {
  const { id, type, created, object } = event;
  const body = JSON.stringify({ ...fixtures().event, id, type, created, data: { object } });
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, timestamp });
  return { body, headers: { 'stripe-signature': signature } };
}
