/** The page's only way out: the contract's requests and events, over Electron's bridge or loopback HTTP. */
import { z } from 'zod';
import {
  answer,
  type EventName,
  type EventValue,
  eventTable,
  type Input,
  type Output,
  type RequestName,
  requestTable,
} from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { httpLine, type Line } from './httpLine.ts';

const line: Line = window.ferry ?? httpLine();

export const bridge = {
  /** Makes a request of the contract. Throws AppError. */
  async call<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
    const { input: sending, output: receiving } = requestTable[name];
    const sent = z.encode(sending, input);
    const came = answer.parse(await line.call(name, sent));
    if (!came.ok) throw AppError.fromShape(came.error);
    return receiving.parse(came.value);
  },

  /** Listens to an event of the contract, for as long as the page is there. */
  on<N extends EventName>(name: N, listener: (value: EventValue<N>) => void): void {
    const schema = eventTable[name];
    line.on(name, (value) => listener(schema.parse(value)));
  },

  pathOf: (file: File): string | null => line.pathOf(file) || null,

  /**
   * Calls `listener` when the page loses the app behind it and when it has it again: what was emitted in
   * between did not arrive and has to be asked for.
   */
  watch(listener: (reachable: boolean) => void): void {
    line.watch?.(listener);
  },
};
