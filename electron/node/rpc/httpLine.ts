/** HTTP POST to one node. What speaks HTTP is loaded with the first question: it is half of the app's own code. */
import { AppError } from '../../../shared/errors.ts';
import type { Listener, NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { authorityOf, notConnected } from './lineErrors.ts';

/** A login, and to whom it may go: read together, so that neither is ever that of another moment. */
export interface Authorization {
  /** The value of the `Authorization` header, or null to send none. */
  readonly header: string | null;
  /** Throws AppError `credentials_missing` where it does not belong to who is at the other end. */
  admit(peer: Peer): void;
}

export interface HttpQuestion {
  /** Only for the words of an error. */
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The same object while it is the same login: no connection that was made for one carries another. */
  readonly authorization: Authorization;
  /** True for what changes nothing and may be asked again. */
  readonly readOnly: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** What it asks a login for (`WWW-Authenticate`); null where it asks for none. */
  readonly realm: string | null;
}

export interface HttpLine {
  /**
   * Throws AppError `cannot_connect` when nothing was sent, `connection_lost` when the line was cut after that,
   * `answer_too_large`, `not_a_node` for what is not HTTP. Throws anything when `signal` ends it.
   */
  post(question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer>;
  /**
   * A line whose questions all go over one connection, to one and the same program: where that connection is gone,
   * `post` throws AppError `cannot_connect` and opens no other, nor does it send another login than its first. To be
   * closed after use.
   */
  single(): Promise<HttpLine>;
  /** Cuts what is on its way. */
  close(): Promise<void>;
}

/** The other end of a connection. */
export interface Peer {
  /** Whether it is on this very machine. */
  readonly here: boolean;
  readonly listener: Listener | null;
}

export interface HttpLineLimits {
  /** Bytes of one answer. */
  readonly maxAnswerBytes: number;
  readonly connectTimeoutMs: number;
  /** Looks at each new connection that its login may go over, before anything is sent. Throws AppError to refuse it. */
  admit(peer: Peer): void;
}

/** Throws AppError `bad_input` for an address that is no host name or IP address. */
export function createHttpLine(address: NodeAddress, limits: HttpLineLimits): HttpLine {
  const origin = originOf(address);
  let line: Promise<HttpLine> | null = null;
  let closed = false;

  async function opened(): Promise<HttpLine> {
    if (closed) throw notConnected();
    line ??= import('./undiciLine.ts').then(({ createUndiciLine }) =>
      createUndiciLine(origin, address, limits),
    );
    const now = await line;
    if (closed) throw notConnected();
    return now;
  }

  return {
    post: async (question, signal) => (await opened()).post(question, signal),
    single: async () => (await opened()).single(),
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
      say('This is not a host name or IP address.'),
      say('Give the host alone, such as 192.168.1.20 or node.local.'),
    );
  }
  return url.origin;
}
