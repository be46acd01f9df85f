/** A thread that a plugin exchanges messages with. The process starts it from an entry point of its own. */
export interface WorkerThread<Message> {
  send(message: Message): void;
  /** Ends the thread at once. */
  end(): Promise<void>;
}

export interface ThreadEvents<Message> {
  /** Receives a message of the thread. */
  received(message: Message): void;
  /** Is called when the thread has ended. @param error why, unless `end` ended it */
  ended(error: Error | undefined): void;
}

/** Starts a thread. It does not keep the process alive. */
export type StartThread<Message> = (events: ThreadEvents<Message>) => WorkerThread<Message>;
