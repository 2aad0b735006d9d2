/** The page's client of the contract, over Electron's preload or loopback HTTP. */
import type { EventName, EventValue, Input, Output, RequestName } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { httpTransport, type Transport } from './httpTransport.ts';

const transport: Transport = window.ferry ?? httpTransport();

export const bridge = {
  /** Makes a request of the contract. Throws AppError. */
  async call<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
    const answered = await transport.call(name, input);
    if (!answered.ok) throw AppError.fromShape(answered.error);
    return answered.value;
  },

  /** Listens to an event of the contract until the page closes. */
  on<N extends EventName>(name: N, listener: (value: EventValue<N>) => void): void {
    transport.on(name, listener);
  },

  pathOf: (file: File): string | null => transport.pathOf(file) || null,

  /** Calls `listener` when the page loses the app and when it returns. Events in between are lost: request the state again. */
  watch(listener: (reachable: boolean) => void): void {
    transport.watch?.(listener);
  },
};
