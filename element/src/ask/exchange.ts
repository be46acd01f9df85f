import type { Panel } from '../state/panel.ts';
import type { AskResult, Progress } from './ask-box.ts';

/** One question and what became of it. */
export interface Exchange {
  readonly question: string;
  progress: Progress;
  result: AskResult | undefined;
  /** Where its answer is shown. */
  panel: Panel | undefined;
}

/** What a view of a conversation shows, and asks of it. */
export interface Asker {
  /** Oldest first; the last one is shown. */
  readonly exchanges: readonly Exchange[];
  readonly isAsking: boolean;
  /** Whether there is anybody to ask: not in what a server rendered. */
  readonly canAsk: boolean;
  ask(question: string): Promise<void>;
  /** Gives the question that runs up. */
  cancel(): void;
  /** Forgets the conversation. */
  startOver(): void;
}
