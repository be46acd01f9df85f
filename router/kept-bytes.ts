/** The JSON of answers that are sent again and again, plain and compressed, kept as long as the answer itself. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { jsonText } from './json-pieces.ts';

/** Encodings of kept answers, the preferred one first. */
export const KEPT_ENCODINGS = ['br', 'gzip'] as const;
export type KeptEncoding = (typeof KEPT_ENCODINGS)[number];

/** Answers with fewer bytes are not compressed. */
export const MIN_COMPRESSED_BYTES = 1_024;
/** Level of brotli. It compresses more than gzip and takes about as long. */
const BROTLI_QUALITY = 5;

const COMPRESSIONS: Readonly<Record<KeptEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** The bytes of one answer, each made when it is first sent. */
export class KeptBytes {
  readonly #answer: object;
  readonly #onGrowth: () => void;
  readonly #compressed = new Map<KeptEncoding, Buffer | Promise<Buffer>>();
  #plain: Buffer | Promise<Buffer> | undefined;
  #size = 0;

  constructor(answer: object, onGrowth: () => void) {
    this.#answer = answer;
    this.#onGrowth = onGrowth;
  }

  /** Bytes of memory in use. */
  get size(): number {
    return this.#size;
  }

  /** Returns the JSON as bytes; a promise where they are being made. */
  plain(): Buffer | Promise<Buffer> {
    this.#plain ??= this.#noted(
      jsonText(this.#answer).then((text) => Buffer.from(text)),
      (bytes) => {
        this.#plain = bytes;
      },
    );
    return this.#plain;
  }

  /** Returns compressed bytes; `undefined` where the answer is too short for it. */
  async compressed(encoding: KeptEncoding): Promise<Buffer | undefined> {
    const present = this.#compressed.get(encoding);
    if (present !== undefined) return present;
    const plain = await this.plain();
    if (plain.length < MIN_COMPRESSED_BYTES) return undefined;
    const making =
      this.#compressed.get(encoding) ??
      this.#noted(COMPRESSIONS[encoding](plain), (bytes) => this.#compressed.set(encoding, bytes));
    this.#compressed.set(encoding, making);
    return making;
  }

  /** Returns the bytes of an encoding that are made, also plain ones of a short answer; `undefined` until they are. */
  ready(encoding: KeptEncoding | undefined): Buffer | undefined {
    const compressed = encoding === undefined ? undefined : this.#compressed.get(encoding);
    const plain = this.#plain instanceof Promise ? undefined : this.#plain;
    if (encoding !== undefined && (plain === undefined || plain.length >= MIN_COMPRESSED_BYTES))
      return compressed instanceof Promise ? undefined : compressed;
    return plain;
  }

  async #noted(making: Promise<Buffer>, keep: (bytes: Buffer) => void): Promise<Buffer> {
    const bytes = await making;
    keep(bytes);
    this.#size += bytes.length;
    this.#onGrowth();
    return bytes;
  }
}

const kept = new WeakMap<object, KeptBytes>();

/**
 * Keeps the bytes of an answer, which must not change any more.
 *
 * @param onGrowth called when more bytes are in memory
 */
export function keepBytes(answer: object, onGrowth: () => void): void {
  kept.set(answer, new KeptBytes(answer, onGrowth));
}

/** Returns the kept bytes of an answer; `undefined` for an answer that is sent once. */
export function keptBytes(answer: unknown): KeptBytes | undefined {
  return typeof answer === 'object' && answer !== null ? kept.get(answer) : undefined;
}

/** Returns the number of bytes that are kept for an answer. */
export function keptBytesOf(answer: object): number {
  return kept.get(answer)?.size ?? 0;
}
