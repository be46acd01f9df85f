import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Client, RequestFailedError } from '../api-client/client.ts';
import { boolean, list, object, text, UnexpectedAnswerError } from '../api-client/json.ts';

/** The tenant that every installation has: its users sign in by their names alone. */
const FIRST_TENANT = 'default';

/** Returns what a user signs in as, such as `acme/ann`: no two users share it. */
export function accountOf({ name, tenant }: Pick<User, 'name' | 'tenant'>): string {
  return tenant === FIRST_TENANT ? name : `${tenant}/${name}`;
}

/** Returns the path by which anybody embeds a document of a user's tenant that is public. */
export function publicPath({ tenant }: Pick<User, 'tenant'>, path: string): string {
  return tenant === FIRST_TENANT ? path : `tenants/${tenant}/${path}`;
}

export interface User {
  readonly name: string;
  readonly roles: readonly string[];
  readonly tenant: string;
  readonly administrator: boolean;
}

/** Who is signed in: `undefined` until the server has said it, `null` for nobody. */
export type SessionUser = User | null | undefined;

/** Holds the session of this page, shared by its components. Fires `change`. */
export class Session extends EventTarget {
  readonly client: Client;
  #user: SessionUser;

  constructor(client: Client) {
    super();
    this.client = client;
  }

  get user(): SessionUser {
    return this.#user;
  }

  /** Asks the server. Only a 401 says that nobody is signed in; any other failure is thrown and leaves nobody shown. */
  async refresh(): Promise<void> {
    if (!this.client.isMaybeSignedIn) {
      this.#setUser(null);
      return;
    }
    try {
      this.#setUser(await this.client.get('/rest/service/api/session', parseUser));
    } catch (error) {
      this.#setUser(null);
      if (!(error instanceof RequestFailedError && error.status === 401)) throw error;
    }
  }

  /**
   * Signs in, and reads the session.
   *
   * @throws RequestFailedError for what the server refuses.
   */
  async signIn(username: string, password: string): Promise<void> {
    await this.client.post('/login', { username, password }, () => undefined);
    await this.refresh();
  }

  async signOut(): Promise<void> {
    await this.client.post('/logout', undefined, () => undefined);
    this.#setUser(null);
  }

  /** Takes note of a read that failed: a 401 means that the session has ended, and the page shows it. */
  reportFailure(cause: unknown): void {
    if (this.#user && cause instanceof RequestFailedError && cause.status === 401) this.#setUser(null);
  }

  #setUser(user: User | null): void {
    this.#user = user;
    this.dispatchEvent(new Event('change'));
  }
}

function parseUser(json: unknown): User {
  const of = object(json, 'the session');
  return {
    name: text(of, 'user'),
    roles: list(of.roles, 'roles', (role) => {
      if (typeof role !== 'string') throw new UnexpectedAnswerError('a role is not a text');
      return role;
    }),
    tenant: text(of, 'tenant'),
    administrator: boolean(of, 'administrator'),
  };
}

/** Renders its host again whenever the session changes, and calls `changed` before. */
export class SessionController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #session: Session;
  readonly #changed: () => void;

  constructor(host: ReactiveControllerHost, session: Session, changed: () => void = () => {}) {
    this.#host = host;
    this.#session = session;
    this.#changed = changed;
    host.addController(this);
  }

  hostConnected(): void {
    this.#session.addEventListener('change', this.#react);
  }

  hostDisconnected(): void {
    this.#session.removeEventListener('change', this.#react);
  }

  readonly #react = (): void => {
    this.#changed();
    this.#host.requestUpdate();
  };
}
