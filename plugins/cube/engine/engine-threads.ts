/**
 * Runs the MDX engine in threads, so that no query of a cube holds the event loop of the process. Each schema belongs to one thread, which keeps
 * its members and cells; the process reads the warehouse for it.
 */
import { AsyncResource } from 'node:async_hooks';
import { onAbort } from '../../../router/abort.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Scalar, Warehouse } from '../../../router/capabilities/warehouse.ts';
import type { StartThread, ThreadEvents, WorkerThread } from '../../../router/capabilities/worker-thread.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { CancelledError, UnavailableError } from '../../../router/errors.ts';
import { type CatalogOptions, openCatalog } from '../mdx/index.ts';
import { translationsOf } from '../schema/dialect-sql.ts';
import { SCRIPTS_INLINE } from '../scripts/runner.ts';
import { type Answering, type AskOptions, Channel, type Handlers, type Message } from './channel.ts';
import type { AxisMember, CubeEngine } from './cube-engine.ts';
import { GridBuilder, type GridPart } from './grid-parts.ts';
import type { ProcessRequests, ThreadRequests } from './thread-requests.ts';

export type EngineMessage = Message;

/** A thread without a schema ends after this time, in milliseconds. */
const IDLE_MS = 15_000;
/** A thread that does not answer a cancel for so long is ended, in milliseconds: its evaluation does not come to an end. */
const CANCEL_MS = 10_000;
/** Values of one message with rows of a warehouse. */
const MAX_VALUES_OF_A_PART = 16_384;

export interface EngineThreadOptions {
  readonly start: StartThread<Message>;
  /** Maximum number of threads; each starts on first use. */
  readonly size: number;
  readonly log: Log;
  readonly cancelMs?: number;
}

/** The options of an engine that a thread runs. */
export interface ThreadedSchema extends Omit<CatalogOptions, 'warehouse'> {
  readonly warehouse: Warehouse;
}

type ThreadChannel = Channel<ThreadRequests, ProcessRequests>;

/** A running thread, with the schemas that it serves. */
interface Running {
  readonly thread: WorkerThread<Message>;
  readonly channel: ThreadChannel;
  readonly schemas: Map<number, ThreadedSchema>;
  idle: NodeJS.Timeout | undefined;
}

export class EngineThreads {
  readonly #options: EngineThreadOptions;
  /** The context of nobody: threads outlive the request that starts them, and read for others, too. */
  readonly #ofNobody = new AsyncResource('cube-threads');
  readonly #running = new Set<Running>();
  #lastCatalog = 0;
  #isClosed = false;

  constructor(options: EngineThreadOptions) {
    this.#options = options;
  }

  /** Opens the cubes of a schema. A thread gets the schema with the first query. */
  engine(schema: ThreadedSchema): CubeEngine {
    return new ThreadedEngine(schema, this, this.#options.cancelMs ?? CANCEL_MS);
  }

  /** Gives a schema to the thread that has the fewest. */
  open(schema: ThreadedSchema): PlacedSchema {
    if (this.#isClosed) throw new CancelledError('The process is stopping.');
    const catalog = ++this.#lastCatalog;
    const running = this.#leastUsed() ?? this.#start();
    clearTimeout(running.idle);
    running.schemas.set(catalog, schema);
    const { warehouse, limits } = schema;
    const { dialect } = warehouse;
    const translations = translationsOf(schema.schema, dialect);
    running.channel
      .ask('open', { catalog, schema: schema.schema, dialect: dialect.name, translations, limits })
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a thread of cubes could not open a schema'));
    return {
      catalog,
      channel: running.channel,
      isServed: () => this.#running.has(running),
      end: () => running.thread.end(),
      close: async () => {
        if (!this.#running.has(running)) return;
        running.schemas.delete(catalog);
        await running.channel.ask('close', { catalog }).catch((error: unknown) => {
          if (this.#running.has(running)) throw error;
        });
        if (running.schemas.size > 0) return;
        running.idle = setTimeout(() => {
          // No schema is given to a thread that is ending.
          this.#running.delete(running);
          void running.thread.end();
        }, IDLE_MS).unref();
      },
    };
  }

  /** Ends all threads; their queries reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map(({ thread }) => thread.end()));
  }

  /** Returns the thread for one more schema; `undefined` while another one may start. */
  #leastUsed(): Running | undefined {
    const [least] = [...this.#running].toSorted((left, right) => left.schemas.size - right.schemas.size);
    return least !== undefined && (least.schemas.size === 0 || this.#running.size >= this.#options.size)
      ? least
      : undefined;
  }

  #start(): Running {
    const schemas = new Map<number, ThreadedSchema>();
    const { log } = this.#options;
    const events: ThreadEvents<Message> = {
      received: (message) => channel.receive(message),
      ended: (error) => {
        this.#running.delete(running);
        clearTimeout(running.idle);
        if (error !== undefined) log.warn({ err: error }, 'a thread of cubes ended');
        channel.end(this.#isClosed ? new CancelledError('The process is stopping.') : interrupted(error));
      },
    };
    const thread = this.#ofNobody.runInAsyncScope(() => this.#options.start(events));
    const channel: ThreadChannel = new Channel<ThreadRequests, ProcessRequests>(
      (message) => thread.send(message),
      processHandlers(schemas, log, {
        inContextOf: (within, work) => channel.inContextOf(within, work),
        noteStop: (within, error) => channel.noteStop(within, error),
      }),
    );
    const running: Running = { thread, channel, schemas, idle: undefined };
    this.#running.add(running);
    return running;
  }
}

/** A schema in its thread. */
interface PlacedSchema {
  readonly catalog: number;
  readonly channel: ThreadChannel;
  /** Returns false once the thread has ended: another one must open the schema. */
  isServed(): boolean;
  /** Ends the thread, with all of its queries. */
  end(): Promise<void>;
  close(): Promise<void>;
}

function interrupted(cause: Error | undefined): UnavailableError {
  return new UnavailableError('The computation of the cube was interrupted. Ask again, or for less.', {
    code: 'CUBE_INTERRUPTED',
    retryAfterSeconds: 1,
    cause,
  });
}

/** Answers what a thread asks: rows, versions and scripts, each in the context of the query that needs it. */
function processHandlers(
  schemas: ReadonlyMap<number, ThreadedSchema>,
  log: Log,
  { inContextOf, noteStop }: Pick<ThreadChannel, 'inContextOf' | 'noteStop'>,
): Handlers<ProcessRequests> {
  const schemaOf = (catalog: number): ThreadedSchema => {
    const schema = schemas.get(catalog);
    if (schema === undefined) throw new CancelledError('The cubes of this connection were closed.');
    return schema;
  };
  return {
    query: ({ catalog, within, statement, options }, { signal, part }) =>
      inContextOf(within, async () => {
        const { warehouse } = schemaOf(catalog);
        const { columns, rowCount, truncated, values } = await warehouse
          .query(statement, { ...options, signal })
          .catch((error: unknown) => {
            noteStop(within, error);
            throw error;
          });
        await sendRows(values, rowCount, part);
        return { columns, rowCount, truncated };
      }),
    dataVersion: ({ catalog, within }) => inContextOf(within, () => schemaOf(catalog).warehouse.dataVersion()),
    tables: ({ catalog, within }, { signal }) =>
      inContextOf(within, () => schemaOf(catalog).warehouse.tables({ signal })),
    runScript: ({ catalog, within, task }, { signal }) =>
      inContextOf(within, () => (schemaOf(catalog).scripts ?? SCRIPTS_INLINE).run(task, signal)),
    log({ level, fields, message }) {
      log[level](fields, message);
      return undefined;
    },
  };
}

async function sendRows(
  values: readonly (readonly Scalar[])[],
  rowCount: number,
  part: Answering<readonly (readonly Scalar[])[]>['part'],
): Promise<void> {
  const yieldTurn = cooperativeYield();
  const rows = Math.max(1, Math.floor(MAX_VALUES_OF_A_PART / Math.max(1, values.length)));
  for (let from = 0; from < rowCount; from += rows) {
    await part(values.map((column) => column.slice(from, from + rows)));
    await yieldTurn();
  }
}

class ThreadedEngine implements CubeEngine {
  readonly #schema: ThreadedSchema;
  readonly #threads: EngineThreads;
  readonly #cancelMs: number;
  /** Describes cubes with the objects of the schema. It reads nothing. */
  readonly #described: Pick<CubeEngine, 'describe' | 'close'>;
  #placed: PlacedSchema | undefined;
  #isClosed = false;

  constructor(schema: ThreadedSchema, threads: EngineThreads, cancelMs: number) {
    this.#schema = schema;
    this.#threads = threads;
    this.#cancelMs = cancelMs;
    this.#described = openCatalog({ ...schema, aggregates: false });
  }

  describe: CubeEngine['describe'] = (cube, access) => this.#described.describe(cube, access);

  /** Checks in a catalog of its own, which ends with the check, as do the members that it read. */
  async check(options: Parameters<CubeEngine['check']>[0]) {
    const catalog = openCatalog({ ...this.#schema, aggregates: false });
    try {
      return await catalog.check(options);
    } finally {
      await catalog.close();
    }
  }

  grid: CubeEngine['grid'] = async (subject, { signal, ...options }) => {
    const builder = new GridBuilder();
    const onPart = (part: GridPart) => builder.add(part);
    const { bytes } = await this.#ask('grid', (of) => ({ ...of, subject, options }), { signal, onPart });
    return builder.grid(bytes);
  };

  members: CubeEngine['members'] = async (subject, { signal, ...options }) => {
    const members: AxisMember[] = [];
    const onPart = (part: readonly AxisMember[]) => {
      for (const member of part) members.push(member);
    };
    await this.#ask('members', (of) => ({ ...of, subject, options }), { signal, onPart });
    return members;
  };

  drillthrough: CubeEngine['drillthrough'] = async (subject, { signal, ...options }) => {
    const rows: (readonly Scalar[])[] = [];
    const onPart = (part: readonly (readonly Scalar[])[]) => {
      for (const row of part) rows.push(row);
    };
    const result = await this.#ask('drillthrough', (of) => ({ ...of, subject, options }), { signal, onPart });
    return { ...result, rows };
  };

  searchMembers: CubeEngine['searchMembers'] = (subject, { signal, ...options }) =>
    this.#ask('searchMembers', (of) => ({ ...of, subject, options }), { signal });

  findMembers: CubeEngine['findMembers'] = (subject, { signal, ...options }) =>
    this.#ask('findMembers', (of) => ({ ...of, subject, options }), { signal });

  explainCells: CubeEngine['explainCells'] = (subject, { signal, ...options }) =>
    this.#ask('explainCells', (of) => ({ ...of, subject, options }), { signal });

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#described.close();
    await this.#placed?.close();
  }

  /** Asks the thread of the schema; another thread opens it where the one before has ended. */
  async #ask<Method extends keyof ThreadRequests>(
    method: Method,
    request: (of: { readonly catalog: number; readonly nowMillis: number }) => ThreadRequests[Method]['request'],
    options: AskOptions<ThreadRequests[Method]['part']>,
  ): Promise<ThreadRequests[Method]['answer']> {
    if (this.#isClosed) throw new CancelledError('The cubes of this connection were closed.');
    if (this.#placed?.isServed() !== true) this.#placed = this.#threads.open(this.#schema);
    const { channel, catalog, end } = this.#placed;
    const { clock = Date.now } = this.#schema;
    let limit: NodeJS.Timeout | undefined;
    const leave = onAbort(options.signal, () => {
      limit = setTimeout(() => void end(), this.#cancelMs).unref();
    });
    try {
      return await channel.ask(method, request({ catalog, nowMillis: clock() }), options);
    } finally {
      leave();
      clearTimeout(limit);
    }
  }
}
