/** For tests: a server of another user on this machine. Only root can start one. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { plainStatus } from '../../../e2e/testNode/scriptedNode.ts';

/** Whether tests can run a program as another user, and the system shows who listens. */
export const canBeAnotherUser = process.platform === 'linux' && process.getuid?.() === 0;

/** `nobody` of Linux. */
export const ANOTHER_USER = 65_534;

export interface OtherUserServer {
  readonly port: number;
  /** Each received login with the body of its request. */
  readonly received: string[];
  close(): Promise<void>;
}

/** Answers any login as a healthy node does. */
export async function startOtherUserServer(port = 0): Promise<OtherUserServer> {
  const answers = Object.fromEntries(
    Object.entries(plainStatus).map(([method, answer]) => [method, answer({} as never)]),
  );
  const child = spawn(process.execPath, ['-e', PROGRAM, String(port), JSON.stringify(answers)], {
    uid: ANOTHER_USER,
    gid: ANOTHER_USER,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const received: string[] = [];
  const listening = await new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message: { port?: number; received?: string } = JSON.parse(line);
      if (message.port !== undefined) resolve(message.port);
      if (message.received !== undefined) received.push(message.received);
    });
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    port: listening,
    received,
    close() {
      child.kill();
      return ended;
    },
  };
}

const PROGRAM = `
const [port, answers] = [Number(process.argv[1]), JSON.parse(process.argv[2])];
const print = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const server = require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const { authorization } = request.headers;
  if (authorization === undefined) {
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end();
  }
  print({ received: authorization + ' ' + body });
  const { method, id } = JSON.parse(body);
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? null }));
});
server.listen(port, '127.0.0.1', () => print({ port: server.address().port }));
`;
