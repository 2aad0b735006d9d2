/** The page's client of the contract, over Electron's preload or loopback HTTP. */
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
import { httpTransport, type Transport } from './httpTransport.ts';

const transport: Transport = window.ferry ?? httpTransport();

export const bridge = {
  /** Makes a request of the contract. Throws AppError. */
  async call<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
    const { input: sending, output: receiving } = requestTable[name];
    const sent = z.encode(sending, input);
    const answered = answer.parse(await transport.call(name, sent));
    if (!answered.ok) throw AppError.fromShape(answered.error);
    return receiving.parse(answered.value);
  },

  /** Listens to an event of the contract until the page closes. */
  on<N extends EventName>(name: N, listener: (value: EventValue<N>) => void): void {
    const schema = eventTable[name];
    transport.on(name, (value) => listener(schema.parse(value)));
  },

  pathOf: (file: File): string | null => transport.pathOf(file) || null,

  /** Calls `listener` when the page loses the app and when it returns. Events in between are lost: request the state again. */
  watch(listener: (reachable: boolean) => void): void {
    transport.watch?.(listener);
  },
};
