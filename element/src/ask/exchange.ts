import type { Panel } from '../state/panel.ts';
import type { AskResult, Progress } from './ask-box.ts';

/** A question with its progress and its result. */
export interface Exchange {
  readonly question: string;
  /** The query that the visitor wrote or chose, as JSON; `undefined` where the language model writes it. */
  readonly written: string | undefined;
  /** Whether the visitor has marked the answer as wrong. */
  isMarked: boolean;
  progress: Progress;
  result: AskResult | undefined;
  /** The panel that shows the answer. */
  panel: Panel | undefined;
}

/** Gives a view the conversation and its actions. */
export interface Asker {
  /** Oldest first; the view shows the last one. */
  readonly exchanges: readonly Exchange[];
  readonly isAsking: boolean;
  /** Whether questions can be asked: false in a server's rendering. */
  readonly canAsk: boolean;
  ask(question: string): Promise<void>;
  /** Answers the last question by a query, instead of the language model's. Returns false for text that is no JSON object. */
  correct(query: string): boolean;
  /** Marks the last answer as wrong, for the owners of the data. */
  markWrong(): Promise<void>;
  /** Stops the pending question. */
  cancel(): void;
  /** Clears the conversation. */
  startOver(): void;
}
