import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Client, RequestFailedError } from '../api-client/client.ts';
import { readBoolean, readList, readObject, readText, UnexpectedAnswerError } from '../api-client/json.ts';

/** The tenant that every installation has. Its users sign in with their plain names. */
const FIRST_TENANT = 'default';

/** Returns the unique name with which a user signs in, such as `acme/ann`. */
export function accountName({ name, tenant }: Pick<User, 'name' | 'tenant'>): string {
  return tenant === FIRST_TENANT ? name : `${tenant}/${name}`;
}

/** Returns whether a user belongs to the tenant that operates the installation. */
export function isOperator({ tenant }: Pick<User, 'tenant'>): boolean {
  return tenant === FIRST_TENANT;
}

/** Returns the path with which other pages embed a public document of a user's tenant. */
export function publicDocumentPath({ tenant }: Pick<User, 'tenant'>, path: string): string {
  return tenant === FIRST_TENANT ? path : `tenants/${tenant}/${path}`;
}

export interface User {
  readonly name: string;
  readonly roles: readonly string[];
  readonly tenant: string;
  readonly administrator: boolean;
}

/** The signed-in user: `undefined` before the server's first answer, `null` for nobody. */
export type SessionUser = User | null | undefined;

/** Contains the session of this page. Fires `change`. */
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

  /**
   * Reads the session. Only a 401 means that nobody is signed in; any other failure is thrown and shows nobody as
   * signed in.
   */
  async refresh(): Promise<void> {
    if (!this.client.isMaybeSignedIn) {
      this.#setUser(null);
      return;
    }
    try {
      this.#setUser(await this.client.get('/rest/service/api/session', parseUser));
    } catch (error) {
      const status = error instanceof RequestFailedError ? error.status : undefined;
      if (status === 403 && this.client.viewAs !== undefined) {
        // Somebody else has signed in meanwhile, who may not view as others.
        this.client.viewAs = undefined;
        return this.refresh();
      }
      this.#setUser(null);
      if (status !== 401) throw error;
    }
  }

  /**
   * Signs in, and reads the session.
   *
   * @throws RequestFailedError where the server refuses the sign-in.
   */
  async signIn(username: string, password: string): Promise<void> {
    this.client.viewAs = undefined;
    await this.client.post('/login', { username, password }, () => undefined);
    await this.refresh();
  }

  async signOut(): Promise<void> {
    this.client.viewAs = undefined;
    await this.client.post('/logout', undefined, () => undefined);
    this.#setUser(null);
  }

  /** Handles a failed read: a 401 means that the session has ended, and the page shows it. */
  reportFailure(cause: unknown): void {
    if (this.#user && cause instanceof RequestFailedError && cause.status === 401) this.#setUser(null);
  }

  #setUser(user: User | null): void {
    this.#user = user;
    this.dispatchEvent(new Event('change'));
  }
}

function parseUser(json: unknown): User {
  const record = readObject(json, 'the session');
  return {
    name: readText(record, 'user'),
    roles: readList(record.roles, 'roles', (role) => {
      if (typeof role !== 'string') throw new UnexpectedAnswerError('a role is not a text');
      return role;
    }),
    tenant: readText(record, 'tenant'),
    administrator: readBoolean(record, 'administrator'),
  };
}

/** Renders its host again after each change of the session, and calls `changed` before. */
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
