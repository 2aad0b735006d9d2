/** Why the engine cannot start, or not with what it was given: one plain sentence for the terminal. */
export class EngineError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EngineError';
  }
}
