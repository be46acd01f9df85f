/** Writes the files of a multipart body to disk as they arrive, within the quotas and the free space of the disk. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { StorageEngine } from 'multer';
import { BodyTooLargeError, ServiceError } from '../../../router/errors.ts';
import { toServiceError } from '../../../router/to-service-error.ts';
import type { FreeSpace } from '../../disk/free-space.ts';
import { UploadQuota, type UploadQuotas, type UploadShare } from './quota.ts';

export interface UploadLimits extends UploadQuotas {
  /** A folder for files that exist for one request. */
  readonly directory: string;
  /** Maximum bytes of one file. */
  readonly maxFileBytes: number;
  readonly freeSpace: FreeSpace;
}

const MAX_FILES = 4;
const MAX_FIELDS = 50;
/** Boundaries, names and text fields of a body beside its files. */
const FRAME_BYTES = 1_048_576;
/** Bytes after which the free space is checked again. */
const SPACE_CHECK_BYTES = 4_194_304;

/** A request with received files; `release` returns its share of the quotas. */
export interface ReceivedUpload {
  readonly files: Readonly<Record<string, readonly Express.Multer.File[]>>;
  readonly fields: unknown;
  release(): Promise<void>;
}

/** Runs an Express handler; rejects with an error of this product. */
type RunHandler = (handler: RequestHandler, request: Request, response: Response) => Promise<void>;

/** The writer's context for the files of one request. */
interface Writing {
  readonly share: UploadShare;
  readonly written: string[];
  /** Ends the upload with an error, however much of its body is still to come. */
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Receives the multipart bodies of a process. */
export class UploadReceiver {
  readonly #limits: UploadLimits;
  readonly #quota: UploadQuota;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
    this.#quota = new UploadQuota(limits);
  }

  /**
   * Receives the files of a request. Nothing of the body is read before its announced size fits the bounds.
   *
   * @param parts names of the parts that hold files
   * @throws BodyTooLargeError, RateLimitedError, UnavailableError
   */
  async receive(
    request: Request,
    response: Response,
    {
      parts,
      sender,
      run,
    }: {
      readonly parts: readonly string[];
      /** The sender, as quotas identify it. */
      readonly sender: string;
      readonly run: RunHandler;
    },
  ): Promise<ReceivedUpload> {
    const { directory, maxFileBytes, freeSpace } = this.#limits;
    const announced = Number(request.headers['content-length'] ?? 0);
    const most = Math.min(parts.length, MAX_FILES) * maxFileBytes + FRAME_BYTES;
    if (announced > most)
      throw new BodyTooLargeError(`The body is too large: this operation takes ${Math.floor(most / 1_048_576)} MB.`);
    const share = this.#quota.begin(sender, announced);
    const left = new AbortController();
    response.once('close', () => left.abort());
    const written: string[] = [];
    let fail: (error: unknown) => void = () => undefined;
    // The parser waits for the end of an abandoned body; a failure does not.
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    failed.catch(() => undefined);
    const release = async (): Promise<void> => {
      await Promise.all(written.map((path) => rm(path, { force: true })));
      share.release();
    };
    try {
      await freeSpace.requireRoomFor(announced);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { default: multer } = await import('multer');
      const upload = multer({
        storage: this.#storage({ share, written, fail, signal: left.signal }),
        defParamCharset: 'utf8',
        limits: { fileSize: maxFileBytes, files: MAX_FILES, fields: MAX_FIELDS },
      });
      await Promise.race([run(upload.fields(parts.map((name) => ({ name, maxCount: 1 }))), request, response), failed]);
      const files = (request.files ?? {}) as Readonly<Record<string, readonly Express.Multer.File[]>>;
      return { files, fields: request.body, release };
    } catch (error) {
      left.abort();
      await release();
      throw error;
    }
  }

  #storage({ share, written, fail, signal }: Writing): StorageEngine {
    const { directory, freeSpace } = this.#limits;
    return {
      _handleFile: (_request, file, done) => {
        const path = join(directory, `upload-${randomUUID()}`);
        written.push(path);
        let size = 0;
        file.stream.once('limit', () => fail(new BodyTooLargeError('The body is too large.')));
        async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
          let unchecked = 0;
          for await (const chunk of chunks) {
            share.take(chunk.length);
            size += chunk.length;
            unchecked += chunk.length;
            if (unchecked >= SPACE_CHECK_BYTES) {
              await freeSpace.requireRoomFor(unchecked);
              unchecked = 0;
            }
            yield chunk;
          }
        }
        pipeline(file.stream, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal }).then(
          () => done(null, { path, size }),
          (error: unknown) => {
            if (isOurs(error)) fail(toServiceError(error));
            done(error);
          },
        );
      },
      _removeFile: (_request, file, done) => {
        rm(file.path, { force: true }).then(() => done(null), done);
      },
    };
  }
}

/** Returns whether a write on this side failed; the parser reports a broken body. */
function isOurs(error: unknown): boolean {
  return error instanceof ServiceError || (error instanceof Error && 'syscall' in error);
}
