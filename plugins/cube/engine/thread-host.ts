/** Runs the engines of cubes in a thread: the process asks for answers, and the thread asks it for the warehouse's rows. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ColumnarResult, Scalar } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import type { CatalogOptions, EngineWarehouse } from '../mdx/index.ts';
import { adoptTranslations } from '../schema/dialect-sql.ts';
import { freeze } from '../schema/freeze.ts';
import { type Answering, Channel, type Handlers, type Message } from './channel.ts';
import type { CubeEngine } from './cube-engine.ts';
import { gridParts, MAX_ITEMS_OF_A_PART } from './grid-parts.ts';
import { inlineEngine } from './inline-engine.ts';
import type { ProcessRequests, SchemaToOpen, ThreadRequests } from './thread-requests.ts';

/** The messages of a thread. */
export interface ThreadPort {
  postMessage(message: Message): void;
  on(event: 'message', receive: (message: Message) => void): void;
}

/** Serves the requests of a process. @param dialects of the warehouses, by their names */
export function hostEngines(port: ThreadPort, dialects: Readonly<Record<EngineName, Dialect>>): void {
  const host = new ThreadHost((message) => port.postMessage(message), dialects);
  port.on('message', (message) => host.receive(message));
}

class ThreadHost {
  readonly #dialects: Readonly<Record<EngineName, Dialect>>;
  readonly #process: Channel<ProcessRequests, ThreadRequests>;
  readonly #engines = new Map<number, CubeEngine>();
  /** The request of the process that is being answered. */
  readonly #present = new AsyncLocalStorage<number>();
  /** The clock of the process, as of its last request. */
  #nowMillis = 0;

  constructor(post: (message: Message) => void, dialects: Readonly<Record<EngineName, Dialect>>) {
    this.#dialects = dialects;
    this.#process = new Channel<ProcessRequests, ThreadRequests>(post, this.#handlers());
  }

  receive(message: Message): void {
    this.#process.receive(message);
  }

  #handlers(): Handlers<ThreadRequests> {
    return {
      open: (schema) => this.#open(schema),
      close: async ({ catalog }) => {
        const engine = this.#engines.get(catalog);
        this.#engines.delete(catalog);
        await engine?.close();
        return undefined;
      },
      grid: this.#call(async (engine, { subject, options }, { signal, part }) => {
        const grid = await engine.grid(subject, { ...options, signal });
        for (const each of gridParts(grid)) await part(each);
        return { bytes: grid.bytes };
      }),
      members: this.#call(async (engine, { subject, options }, { signal, part }) => {
        const members = await engine.members(subject, { ...options, signal });
        return sendInParts(members, part);
      }),
      drillthrough: this.#call(async (engine, { subject, options }, { signal, part }) => {
        const { rows, ...result } = await engine.drillthrough(subject, { ...options, signal });
        await sendInParts(rows, part);
        return result;
      }),
      searchMembers: this.#call((engine, { subject, options }, { signal }) =>
        engine.searchMembers(subject, { ...options, signal }),
      ),
      findMembers: this.#call((engine, { subject, options }, { signal }) =>
        engine.findMembers(subject, { ...options, signal }),
      ),
      explainCells: this.#call((engine, { subject, options }, { signal }) =>
        engine.explainCells(subject, { ...options, signal }),
      ),
    };
  }

  /** Returns a handler that answers with an engine. What the engine reads meanwhile counts for the request. */
  #call<Request extends { readonly catalog: number; readonly nowMillis: number }, Part, Answer>(
    answer: (engine: CubeEngine, request: Request, answering: Answering<Part>) => Promise<Answer>,
  ): (request: Request, answering: Answering<Part>) => Promise<Answer> {
    return (request, answering) => {
      const engine = this.#engines.get(request.catalog);
      if (engine === undefined) throw new InternalError('The thread has no such catalog.');
      this.#nowMillis = request.nowMillis;
      return this.#present.run(answering.id, () => answer(engine, request, answering));
    };
  }

  #open({ catalog, schema, dialect, translations, limits }: SchemaToOpen): undefined {
    adoptTranslations(translations, this.#dialects[dialect]);
    const engine = inlineEngine({
      schema: freeze(schema),
      warehouse: this.#warehouse(catalog, this.#dialects[dialect]),
      clock: () => this.#nowMillis,
      limits,
      scripts: {
        run: (task, signal) =>
          this.#process.ask('runScript', { catalog, within: this.#present.getStore(), task }, { signal }),
      },
      log: this.#log(),
    });
    this.#engines.set(catalog, engine);
  }

  #warehouse(catalog: number, dialect: Dialect): EngineWarehouse {
    const place = () => ({ catalog, within: this.#present.getStore() });
    return {
      dialect,
      query: async (statement, { signal, ...options }): Promise<ColumnarResult> => {
        const values: Scalar[][] = [];
        const result = await this.#process.ask(
          'query',
          { ...place(), statement, options },
          {
            signal,
            onPart: (columns) => {
              for (const [index, column] of columns.entries()) {
                const of = values[index] ?? [];
                values[index] = of;
                for (const value of column) of.push(value);
              }
            },
          },
        );
        return { ...result, values: result.columns.map((_, index) => values[index] ?? []) };
      },
      tables: ({ signal } = {}) => this.#process.ask('tables', place(), { signal }),
      dataVersion: () => this.#process.ask('dataVersion', place()),
    };
  }

  #log(): CatalogOptions['log'] {
    const write = (level: 'debug' | 'warn') => (fields: object, message: string) => {
      this.#process.ask('log', { level, fields, message }).catch(() => undefined);
    };
    return { debug: write('debug'), warn: write('warn') };
  }
}

async function sendInParts<Item>(items: readonly Item[], part: Answering<readonly Item[]>['part']): Promise<undefined> {
  for (let from = 0; from < items.length; from += MAX_ITEMS_OF_A_PART)
    await part(items.slice(from, from + MAX_ITEMS_OF_A_PART));
  return undefined;
}
