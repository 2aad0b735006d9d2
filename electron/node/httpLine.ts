/** HTTP POST to one node. What speaks HTTP is loaded with the first question: it is half of the app's own code. */
import { AppError } from '../../shared/errors.ts';
import type { NodeAddress } from '../../shared/node.ts';
import { say } from '../../shared/say.ts';
import { authorityOf } from './lineErrors.ts';

export interface HttpQuestion {
  /** Only for the words of an error. */
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | null;
  /** True for what changes nothing and may be asked again. */
  readonly readOnly: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpLine {
  /**
   * Throws AppError `cannot_connect` when nothing was sent, `connection_lost` when the line was cut after that,
   * `answer_too_large`, `not_a_node` for what is not HTTP. Throws anything when `signal` ends it.
   */
  post(question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer>;
  /** Cuts what is on its way. */
  close(): Promise<void>;
}

export interface HttpLineLimits {
  /** Bytes of one answer. */
  readonly maxAnswerBytes: number;
  readonly connectTimeoutMs: number;
}

/** Throws AppError `bad_input` for an address that is no host name or IP address. */
export function createHttpLine(address: NodeAddress, limits: HttpLineLimits): HttpLine {
  const origin = originOf(address);
  let line: Promise<HttpLine> | null = null;
  let closed = false;
  return {
    async post(question, signal) {
      if (closed) throw notConnected();
      line ??= import('./undiciLine.ts').then(({ createUndiciLine }) =>
        createUndiciLine(origin, address, limits),
      );
      const opened = await line;
      if (closed) throw notConnected();
      return opened.post(question, signal);
    },
    async close() {
      closed = true;
      await (await line)?.close();
    },
  };
}

function originOf(address: NodeAddress): string {
  const origin = `${address.tls ? 'https' : 'http'}://${authorityOf(address)}`;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  // A "host" with a slash or an @ in it would lead to another machine than the one shown.
  if (url === null || url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new AppError(
      'bad_input',
      say('This is not a host name or an IP address.'),
      say('Give the host alone, for example 192.168.1.20 or node.local, without http:// and without a path.'),
    );
  }
  return url.origin;
}

function notConnected(): AppError {
  return new AppError(
    'not_connected',
    say('The app is no longer connected to this node.'),
    say('Nothing was sent. Connect to it again.'),
  );
}
