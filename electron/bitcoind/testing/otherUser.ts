/** For tests: a server on this machine that another user runs. Only root can start one. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { plainStatus } from '../../../e2e/testNode/scriptedNode.ts';

/** Whether this machine allows tests with a second user, and shows who listens. */
export const canBeAnotherUser = process.platform === 'linux' && process.getuid?.() === 0;

/** `nobody` of Linux. */
export const ANOTHER_USER = 65_534;

export interface StrangerServer {
  readonly port: number;
  /** Every login and every request body that it received, as text. */
  readonly got: string[];
  close(): Promise<void>;
}

/** Answers like a healthy node to any login. */
export async function startStranger(port = 0): Promise<StrangerServer> {
  const answers = Object.fromEntries(
    Object.entries(plainStatus).map(([method, answer]) => [method, answer({} as never)]),
  );
  const child = spawn(process.execPath, ['-e', PROGRAM, String(port), JSON.stringify(answers)], {
    uid: ANOTHER_USER,
    gid: ANOTHER_USER,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const got: string[] = [];
  const listening = await new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told: { port?: number; got?: string } = JSON.parse(line);
      if (told.port !== undefined) resolve(told.port);
      if (told.got !== undefined) got.push(told.got);
    });
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    port: listening,
    got,
    close() {
      child.kill();
      return ended;
    },
  };
}

const PROGRAM = `
const [port, answers] = [Number(process.argv[1]), JSON.parse(process.argv[2])];
const tell = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
const server = require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const { authorization } = request.headers;
  if (authorization === undefined) {
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end();
  }
  tell({ got: authorization + ' ' + body });
  const { method, id } = JSON.parse(body);
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? null }));
});
server.listen(port, '127.0.0.1', () => tell({ port: server.address().port }));
`;
