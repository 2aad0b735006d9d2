/** Why the engine cannot start, or not with what it was given: plain sentences for the terminal and for the app. */
export class EngineError extends Error {
  /** What to do next; null where the message says it. */
  readonly todo: string | null;

  constructor(message: string, todo: string | null = null) {
    super(message);
    this.name = 'EngineError';
    this.todo = todo;
  }
}
