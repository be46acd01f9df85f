/** Declares the requests between the process and a thread of cubes, in both directions. */
import type {
  ColumnarResult,
  QueryOptions as ReadOptions,
  Scalar,
  Statement,
  TableInfo,
} from '../../../router/capabilities/warehouse.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import type { EngineLimits } from '../mdx/index.ts';
import type { Schema, SqlText } from '../schema/model.ts';
import type { ScriptOutcome, ScriptTask } from '../scripts/script.ts';
import type { AxisMember, ComputedByThread } from './cube-engine.ts';
import type { GridPart } from './grid-parts.ts';

/** A schema to open. */
export interface SchemaToOpen {
  /** The number of the catalog; later requests name it. */
  readonly catalog: number;
  readonly schema: Schema;
  readonly dialect: EngineName;
  /** Texts of the schema that were translated for the dialect. */
  readonly translations: ReadonlyMap<SqlText, string | undefined>;
  readonly limits: Partial<EngineLimits> | undefined;
}

/** A call of a method of a catalog. */
interface Call<Method extends keyof ComputedByThread> {
  readonly catalog: number;
  /** The clock of the process. */
  readonly nowMillis: number;
  readonly subject: Parameters<ComputedByThread[Method]>[0];
  readonly options: Omit<Parameters<ComputedByThread[Method]>[1], 'signal'>;
}

interface CallOf<Method extends keyof ComputedByThread, Part, Answer> {
  readonly request: Call<Method>;
  readonly part: Part;
  readonly answer: Answer;
}

type AnswerOf<Method extends keyof ComputedByThread> = Awaited<ReturnType<ComputedByThread[Method]>>;
type DrilledRows = AnswerOf<'drillthrough'>;

/** Lists what the process asks a thread. */
export type ThreadRequests = {
  readonly open: { readonly request: SchemaToOpen; readonly part: never; readonly answer: undefined };
  readonly close: { readonly request: { readonly catalog: number }; readonly part: never; readonly answer: undefined };
  readonly grid: CallOf<'grid', GridPart, Pick<AnswerOf<'grid'>, 'bytes'>>;
  readonly members: CallOf<'members', readonly AxisMember[], undefined>;
  readonly drillthrough: CallOf<'drillthrough', DrilledRows['rows'], Omit<DrilledRows, 'rows'>>;
  readonly searchMembers: CallOf<'searchMembers', never, AnswerOf<'searchMembers'>>;
  readonly findMembers: CallOf<'findMembers', never, AnswerOf<'findMembers'>>;
  readonly explainCells: CallOf<'explainCells', never, AnswerOf<'explainCells'>>;
};

/** A request to the warehouse of a catalog. */
interface OfCatalog {
  readonly catalog: number;
  /** The request of the process that needs it. The work counts for the caller of that request. */
  readonly within: number | undefined;
}

/** Lists what a thread asks the process. */
export type ProcessRequests = {
  readonly query: {
    readonly request: OfCatalog & { readonly statement: Statement; readonly options: Omit<ReadOptions, 'signal'> };
    /** The next rows, column by column. */
    readonly part: readonly (readonly Scalar[])[];
    readonly answer: Pick<ColumnarResult, 'columns' | 'rowCount' | 'truncated'>;
  };
  readonly dataVersion: { readonly request: OfCatalog; readonly part: never; readonly answer: string | undefined };
  readonly tables: { readonly request: OfCatalog; readonly part: never; readonly answer: readonly TableInfo[] };
  readonly runScript: {
    readonly request: OfCatalog & { readonly task: ScriptTask };
    readonly part: never;
    readonly answer: readonly ScriptOutcome[];
  };
  readonly log: {
    readonly request: { readonly level: 'debug' | 'warn'; readonly fields: object; readonly message: string };
    readonly part: never;
    readonly answer: undefined;
  };
};
