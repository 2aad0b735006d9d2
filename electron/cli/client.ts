/** The terminal's client of the services. Sends the contract's requests, and checks their shapes both ways. */
import { z } from 'zod/mini';
import {
  type EventName,
  type EventValue,
  eventTable,
  type Input,
  type Output,
  type RequestName,
  requestTable,
} from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { checkedInput } from '../../shared/wording/findings/findingWords.ts';
import type { Services } from '../backend/host.ts';
import type { Terminal } from './terminal.ts';

/** What every command of the terminal uses. */
export interface CommandDeps {
  readonly client: Client;
  readonly terminal: Terminal;
  /** The command that started the program, which begins every printed command. */
  readonly program: string;
  /** Aborts when the program exits. */
  readonly signal: AbortSignal;
}

export type Client = ReturnType<typeof createClient>;

export function createClient(services: Pick<Services, 'call' | 'subscribe'>) {
  return {
    /** Throws AppError. */
    async ask<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
      const { input: takes, output: gives } = requestTable[name];
      const answer = await services.call(name, checkedInput(z.safeEncode(takes, input)));
      if (!answer.ok) throw AppError.fromShape(answer.error);
      return z.parse(gives, answer.value);
    },
    /** Calls `listener` with every event of this name until the returned function is called. */
    on: <N extends EventName>(name: N, listener: (value: EventValue<N>) => void) =>
      services.subscribe((event, value) => {
        if (event === name) listener(z.parse(eventTable[name], value));
      }),
  };
}

/** The encoded output of a request, as `--json` prints it. */
export function encoded<N extends RequestName>(name: N, value: Output<N>): unknown {
  return z.encode(requestTable[name].output, value);
}
