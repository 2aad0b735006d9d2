/** Connects to the node of a command, and waits until it is ready. */
import type { Login } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Connection, NodeStatus } from '../../shared/model/node.ts';
import { say } from '../../shared/wording/say.ts';
import { chooseNode, nodeWords } from './chooseNode.ts';
import type { Client } from './client.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import type { NetworksFound } from './fileNetwork.ts';
import type { Means } from './means.ts';
import { readSecret } from './readSecret.ts';
import type { Terminal } from './terminal.ts';

/**
 * `networksOf`: those of the wallet that it is for. Throws AppError for a node that cannot be reached, and UsageError where it
 * is not certain which one is meant, or its password cannot be had.
 */
export async function connect(
  choice: NodeChoice,
  networksOf: () => Promise<NetworksFound>,
  { client, terminal }: Pick<Means, 'client' | 'terminal'>,
): Promise<NodeStatus> {
  const chosen = await chooseNode(choice, networksOf, client);
  switch (chosen.by) {
    case 'offline': {
      const { walletsFolder, network } = chosen;
      return ready(client, terminal, () => client.ask('engine.start', { walletsFolder, network }));
    }
    case 'found': {
      const { id } = chosen.node;
      terminal.err([nodeWords(chosen.node)]);
      return ready(client, terminal, () => client.ask('nodes.connect', { by: 'found', id }));
    }
    case 'node': {
      const { address } = chosen;
      const login = await loginOf(chosen.login, terminal);
      return ready(client, terminal, () => client.ask('nodes.connect', { by: 'hand', address, login }));
    }
  }
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
