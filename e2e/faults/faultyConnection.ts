/** A proxy between the app and a node that can cut or stall one call at a given byte, or change its answer. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../electron/http/loopback.ts';

/** The points of a call at which the connection can fail. */
export const cutPoints = [
  'before the request',
  'in the head of the request',
  'in the body of the request',
  'after the request',
  'in the status line of the answer',
  'in the head of the answer',
  'in the body of the answer',
  'before the last byte of the answer',
] as const;
export type CutPoint = (typeof cutPoints)[number];

export interface ConnectionFault {
  /** Only the first call of this method meets the fault. */
  readonly method: string;
  readonly place: CutPoint;
  /** `stall`: the connection passes nothing on until `resume`. */
  readonly does: 'cut' | 'stall';
  /** Awaited before the fault. */
  readonly when?: () => Promise<void>;
}

export interface FaultyConnection {
  readonly port: number;
  setFault(fault: ConnectionFault): void;
  /** Changes the first answer to this method. */
  changeAnswer(method: string, change: (answer: HttpMessage) => Buffer): void;
  resume(): void;
  /** How many whole requests of this method the app has sent. */
  countCalls(method: string): number;
  /** Refuses new connections. Existing ones stay. */
  refuse(): void;
  accept(): Promise<void>;
  close(): Promise<void>;
}

export interface HttpMessage {
  /** With the empty line at its end. */
  readonly head: Buffer;
  readonly body: Buffer;
}

export async function openFaultyConnection(nodePort: number): Promise<FaultyConnection> {
  let fault: ConnectionFault | null = null;
  let change: { method: string; change: (answer: HttpMessage) => Buffer } | null = null;
  let resume = () => {};
  const released = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const bodies: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((app) => {
    keep(app);
    void carry(app).catch(() => app.destroy());
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    // A proxy that cuts connections expects errors.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }

  /** Carries the requests of one connection of the app, one after the other, and their answers. */
  async function carry(app: Socket): Promise<void> {
    const node = connect(nodePort, '127.0.0.1');
    keep(node);
    node.on('close', () => app.destroy());
    app.on('close', () => node.destroy());
    await once(node, 'connect');
    const fromApp = messagesOf(app);
    const fromNode = messagesOf(node);
    for (;;) {
      const request = await fromApp();
      bodies.push(request.body);
      const is = (method: string | undefined) => isOf(request.body, method);
      const met = is(fault?.method) ? fault : null;
      const changed = is(change?.method) ? change : null;
      if (met) fault = null;
      if (changed) change = null;
      await pass(requestParts(request, met?.place), node, app, met);
      const answer = await fromNode();
      if (changed) app.write(changed.change(answer));
      else await pass(answerParts(answer, met?.place), app, node, met);
    }
  }

  async function pass(
    [first, rest]: readonly [Buffer, Buffer | null],
    to: Socket,
    from: Socket,
    met: ConnectionFault | null,
  ): Promise<void> {
    await write(to, first);
    if (rest === null || met === null) return;
    await met.when?.();
    if (met.does === 'cut') {
      to.destroy();
      from.destroy();
      throw new Error('The connection is cut.');
    }
    await released;
    await write(to, rest);
  }

  const { port } = await listen(server);
  return {
    port,
    setFault(next) {
      fault = next;
    },
    changeAnswer(method, changing) {
      change = { method, change: changing };
    },
    resume,
    countCalls: (method) => bodies.filter((body) => isOf(body, method)).length,
    refuse: () => void server.close(),
    accept: async () => void (await listen(server, port)),
    async close() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function isOf(body: Buffer, method: string | undefined): boolean {
  return body.includes(`"method":"${method}"`);
}

/** The bytes before and after the fault; null after it if the message is not split. */
function requestParts(
  { head, body }: HttpMessage,
  place: CutPoint | undefined,
): readonly [Buffer, Buffer | null] {
  const whole = Buffer.concat([head, body]);
  switch (place) {
    case 'before the request':
      return split(whole, 0);
    case 'in the head of the request':
      return split(whole, head.length >> 1);
    case 'in the body of the request':
      return split(whole, head.length + (body.length >> 1));
    case 'after the request':
      return split(whole, whole.length);
    default:
      return [whole, null];
  }
}

function answerParts(
  { head, body }: HttpMessage,
  place: CutPoint | undefined,
): readonly [Buffer, Buffer | null] {
  const whole = Buffer.concat([head, body]);
  switch (place) {
    case 'in the status line of the answer':
      return split(whole, 'HTTP/1.1 2'.length);
    case 'in the head of the answer':
      return split(whole, head.length >> 1);
    case 'in the body of the answer':
      return split(whole, head.length + (body.length >> 1));
    case 'before the last byte of the answer':
      return split(whole, whole.length - 1);
    default:
      return [whole, null];
  }
}

function split(whole: Buffer, at: number): readonly [Buffer, Buffer] {
  return [whole.subarray(0, at), whole.subarray(at)];
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Returns a function that resolves with the next whole HTTP message, or rejects once the socket has closed. */
function messagesOf(socket: Socket): () => Promise<HttpMessage> {
  let pending = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });
  return async () => {
    for (;;) {
      const message = messageIn(pending);
      if (message) {
        pending = pending.subarray(message.head.length + message.body.length);
        return message;
      }
      if (ended) throw new Error('The connection ended.');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

function messageIn(bytes: Buffer): HttpMessage | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = bytes.subarray(0, end + 4);
  const length = Number(/^content-length: *(\d+)/im.exec(head.toString('latin1'))?.[1] ?? 0);
  const body = bytes.subarray(head.length, head.length + length);
  return body.length === length ? { head, body } : null;
}
