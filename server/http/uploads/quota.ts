/** Limits concurrent uploads: of each user, and of all together. */
import { RateLimitedError, UnavailableError } from '../../../router/errors.ts';

export interface UploadQuotas {
  /** Bytes of the uploads that one user has under way. */
  readonly maxBytesOfUser: number;
  /** Bytes of the uploads of all users that are under way. */
  readonly maxBytes: number;
  /** Uploads that one user has under way. */
  readonly maxRunningOfUser: number;
}

/** The share of the quotas that one upload has, until it is released. */
export interface UploadShare {
  /** Tells that so many bytes have come; takes more of the quotas where more come than were announced. */
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
   * @param announced bytes of the body as its header says; 0 where it does not
   * @throws RateLimitedError when the user has too much under way
   * @throws UnavailableError when all users together have
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
