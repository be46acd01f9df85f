/** Limits concurrent uploads of each user, and of all users. */
import { RateLimitedError, UnavailableError } from '../../../router/errors.ts';

export interface UploadQuotas {
  /** Bytes of one user's running uploads. */
  readonly maxBytesOfUser: number;
  /** Bytes of all users' running uploads. */
  readonly maxBytes: number;
  /** Number of one user's running uploads. */
  readonly maxRunningOfUser: number;
}

/** The share of one upload in the quotas, until it is released. */
export interface UploadShare {
  /** Counts received bytes; takes more of the quotas when more arrive than announced. */
  take(bytes: number): void;
  release(): void;
}

interface Usage {
  bytes: number;
  running: number;
}

const RETRY_SECONDS = 30;

export class UploadQuota {
  readonly #quotas: UploadQuotas;
  readonly #byUser = new Map<string, Usage>();
  #bytes = 0;

  constructor(quotas: UploadQuotas) {
    this.#quotas = quotas;
  }

  /**
   * Begins an upload of a user.
   *
   * @param announced bytes of the body in its header; 0 without one
   * @throws RateLimitedError when the user's uploads exceed the limit
   * @throws UnavailableError when all users' uploads exceed the limit
   */
  begin(user: string, announced: number): UploadShare {
    const usage = this.#byUser.get(user) ?? { bytes: 0, running: 0 };
    if (usage.running >= this.#quotas.maxRunningOfUser)
      throw tooMuchOfUser(`${this.#quotas.maxRunningOfUser} uploads of yours are under way`);
    this.#reserve(usage, announced);
    usage.running++;
    this.#byUser.set(user, usage);
    let [reserved, come, isOver] = [announced, 0, false];
    return {
      take: (bytes) => {
        come += bytes;
        if (come <= reserved) return;
        this.#reserve(usage, come - reserved);
        reserved = come;
      },
      release: () => {
        if (isOver) return;
        isOver = true;
        usage.running--;
        usage.bytes -= reserved;
        this.#bytes -= reserved;
        if (usage.running === 0) this.#byUser.delete(user);
      },
    };
  }

  #reserve(usage: Usage, bytes: number): void {
    const { maxBytes, maxBytesOfUser } = this.#quotas;
    if (usage.bytes + bytes > maxBytesOfUser)
      throw tooMuchOfUser(`your uploads that are under way would be larger than ${megabytes(maxBytesOfUser)} together`);
    if (this.#bytes + bytes > maxBytes)
      throw new UnavailableError(
        `All uploads that are under way would be larger than ${megabytes(maxBytes)} together. Try again later.`,
        { code: 'UPLOAD_LIMIT', retryAfterSeconds: RETRY_SECONDS },
      );
    usage.bytes += bytes;
    this.#bytes += bytes;
  }
}

function tooMuchOfUser(why: string): RateLimitedError {
  const message = `The upload is not taken: ${why}. Wait until one has ended.`;
  return new RateLimitedError(message, { code: 'UPLOAD_LIMIT', retryAfterSeconds: RETRY_SECONDS });
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_048_576)} MB`;
}
