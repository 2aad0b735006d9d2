/** A proxy between the app and a node that can cut or stall one call at a given byte, or change its answer. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../electron/http/loopback.ts';
import { deferred } from '../../shared/testing/deferred.ts';

/** Where a fault splits a message, by the lengths of its head and of the whole. */
type Split = (head: number, whole: number) => number;

const requestSplits = {
  'before the request': () => 0,
  'in the head of the request': (head) => head >> 1,
  'in the body of the request': (head, whole) => (head + whole) >> 1,
  'after the request': (_, whole) => whole,
} satisfies Record<string, Split>;
const answerSplits = {
  'in the status line of the answer': () => 'HTTP/1.1 2'.length,
  'in the head of the answer': (head) => head >> 1,
  'in the body of the answer': (head, whole) => (head + whole) >> 1,
  'before the last byte of the answer': (_, whole) => whole - 1,
} satisfies Record<string, Split>;
/** The points of a call at which the connection can fail. */
export const cutPoints = Object.keys({ ...requestSplits, ...answerSplits }) as CutPoint[];
export type CutPoint = keyof typeof requestSplits | keyof typeof answerSplits;

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
  const { promise: released, resolve: resume } = deferred();
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
      const splitOf = (splits: Readonly<Record<string, Split>>) => (met ? splits[met.place] : undefined);
      await pass(partsOf(request, splitOf(requestSplits)), node, app, met);
      const answer = await fromNode();
      if (changed) app.write(changed.change(answer));
      else await pass(partsOf(answer, splitOf(answerSplits)), app, node, met);
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
function partsOf({ head, body }: HttpMessage, split: Split | undefined): readonly [Buffer, Buffer | null] {
  const whole = Buffer.concat([head, body]);
  const at = split?.(head.length, whole.length);
  return at === undefined ? [whole, null] : [whole.subarray(0, at), whole.subarray(at)];
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
