/** For tests of the stores: a fake back end whose answers and events the test controls. */
import { vi } from 'vitest';

type Answer = { ok: true; value: unknown } | { ok: false; error: unknown };

export interface FakeFerry {
  /** The number of calls of that name that wait for an answer. */
  waiting(name: string): number;
  /** The input of the oldest waiting call of that name. */
  asked(name: string): unknown;
  /** Answers the oldest waiting call of that name, and waits until the stores have handled it. */
  answer(name: string, value: unknown): Promise<void>;
  /** The same with an error. */
  refuse(name: string, error: unknown): Promise<void>;
  emit(event: string, value: unknown): void;
  /** Drops the waiting calls of earlier tests. */
  forget(): void;
}

/** Stands in for the preload. Call it before the stores are imported. */
export function installFakeFerry(): FakeFerry {
  const calls: { name: string; input: unknown; resolve: (answer: Answer) => void }[] = [];
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const ferry = {
    call: (name: string, input: unknown) =>
      new Promise<Answer>((resolve) => calls.push({ name, input, resolve })),
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    pathOf: () => '',
  };
  async function settle(name: string, answer: Answer): Promise<void> {
    const index = calls.findIndex((call) => call.name === name);
    const [call] = calls.splice(index, 1);
    if (index < 0 || !call) throw new Error(`Nothing waits for ${name}.`);
    call.resolve(answer);
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.stubGlobal('window', Object.assign(new EventTarget(), { ferry }));
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frame());
  return {
    waiting: (name) => calls.filter((call) => call.name === name).length,
    asked: (name) => calls.find((call) => call.name === name)?.input,
    answer: (name, value) => settle(name, { ok: true, value }),
    refuse: (name, error) => settle(name, { ok: false, error }),
    forget() {
      calls.length = 0;
    },
    emit(event, value) {
      for (const listener of listeners.get(event) ?? []) listener(value);
    },
  };
}
