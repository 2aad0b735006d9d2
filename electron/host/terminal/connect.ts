/** Connects to the node that the command line names, and waits until it is ready. */
import type { Login } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Connection, NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import type { Client } from './client.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import { readSecret } from './readSecret.ts';
import type { Terminal } from './terminal.ts';

/** Throws AppError for a node that cannot be reached, and UsageError where its password cannot be had. */
export async function connect(client: Client, choice: NodeChoice, terminal: Terminal): Promise<NodeStatus> {
  if (choice.by === 'offline') {
    const { walletsFolder, network } = choice;
    return ready(client, terminal, () => client.ask('engine.start', { walletsFolder, network }));
  }
  const { address } = choice;
  const login = await loginOf(choice.login, terminal);
  return ready(client, terminal, () => client.ask('nodes.connect', { by: 'hand', address, login }));
}

async function loginOf(
  login: Extract<NodeChoice, { by: 'node' }>['login'],
  terminal: Terminal,
): Promise<Login> {
  if (login.by === 'cookie') return login;
  const { user, fd } = login;
  const password = fd === null ? await terminal.secret(say('Node password:')) : await readSecret(fd);
  if (password === null) throw new UsageError(say('Give the password with --password-fd N.'));
  return { by: 'password', user, password, save: false };
}

/** A node that is starting is waited for. */
async function ready(
  client: Client,
  terminal: Terminal,
  reach: () => Promise<Connection>,
): Promise<NodeStatus> {
  let leave = () => {};
  const later = new Promise<NodeStatus>((resolve, reject) => {
    leave = client.on('connection', (connection) => {
      if (connection.state === 'starting') terminal.progress(connection.message, connection.message);
      if (connection.state === 'connected') resolve(connection.node);
      if (connection.state === 'lost') reject(AppError.fromShape(connection.error));
    });
  });
  // It may end while the answer is still awaited.
  later.catch(() => {});
  try {
    const reached = await reach();
    return reached.state === 'connected' ? reached.node : await later;
  } finally {
    leave();
    terminal.progress(null, null);
  }
}
