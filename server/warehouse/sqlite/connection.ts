import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../entry-points.ts';
import type { ReaderReply, ReaderRequest } from './protocol.ts';

const ERROR_OUTPUT_BYTES = 4_000;

/** SQLite's error about a statement or a file. */
export class SqliteFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'SqliteFailure';
    this.code = code;
  }
}

/** A process that has one SQLite file open. It answers one request at a time. */
export class ReaderConnection {
  readonly #process: ChildProcess;
  #waiting: { resolve(reply: ReaderReply): void; reject(error: Error): void } | undefined;
  #errorOutput = '';
  #ended: Error | undefined;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-ERROR_OUTPUT_BYTES);
    });
    child.on('message', (reply: ReaderReply) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.resolve(reply);
    });
    child.on('error', (error) => this.#end(error));
    child.on('close', (code, signal) => {
      this.#end(new Error(`The SQLite reader ended (${signal ?? code}). ${this.#errorOutput}`.trim()));
    });
  }

  /**
   * Opens a file in a reader process.
   *
   * @throws SqliteFailure when the file cannot be read as a database
   */
  static async open(file: string, onEnd: (connection: ReaderConnection) => void): Promise<ReaderConnection> {
    const { module, execArgv } = entryPoint('sqlite-reader');
    const child = fork(fileURLToPath(module), {
      execArgv: [...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const connection = new ReaderConnection(child);
    // An idle reader does not keep this process alive; a busy one does (`ask`).
    child.unref();
    child.channel?.unref();
    if (child.stderr instanceof Socket) child.stderr.unref();
    try {
      await connection.ask({ kind: 'open', file });
    } catch (error) {
      connection.kill();
      throw error;
    }
    child.on('close', () => onEnd(connection));
    return connection;
  }

  /** Rejects with `SqliteFailure`, or with another error when the process ends first. */
  async ask(request: ReaderRequest): Promise<Exclude<ReaderReply, { kind: 'failed' }>> {
    const reply = await this.#exchange(request);
    if (reply.kind === 'failed') throw new SqliteFailure(reply.code, reply.message);
    return reply;
  }

  async #exchange(request: ReaderRequest): Promise<ReaderReply> {
    this.#process.channel?.ref();
    try {
      return await new Promise<ReaderReply>((resolve, reject) => {
        if (this.#ended !== undefined) return reject(this.#ended);
        this.#waiting = { resolve, reject };
        this.#process.send(request, (error) => {
          if (error !== null) this.#end(error);
        });
      });
    } finally {
      this.#process.channel?.unref();
    }
  }

  /** Returns whether the process runs: neither ended nor stopped. */
  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  /** Kills the process at once. */
  kill(): void {
    this.#end(new Error('The SQLite reader was stopped.'));
    this.#process.kill('SIGKILL');
  }

  #end(error: Error): void {
    this.#ended ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#ended);
  }
}
