/** Connects to a command's node, and waits until it is ready. */
import type { Login } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Connection, NodeStatus } from '../../shared/model/node.ts';
import { say } from '../../shared/wording/say.ts';
import { chooseNode, nodeText } from './chooseNode.ts';
import type { Client, CommandDeps } from './client.ts';
import { type NodeChoice, UsageError } from './commandLine.ts';
import type { NetworksFound } from './fileNetwork.ts';
import { readSecret } from './readSecret.ts';
import type { Terminal } from './terminal.ts';

/**
 * `networksOf`: finds the networks of the command's wallet. Throws AppError for an unreachable node, and UsageError if the
 * node is ambiguous or its password is missing.
 */
export async function connect(
  choice: NodeChoice,
  networksOf: () => Promise<NetworksFound>,
  { client, terminal }: Pick<CommandDeps, 'client' | 'terminal'>,
): Promise<NodeStatus> {
  const chosen = await chooseNode(choice, networksOf, client);
  switch (chosen.by) {
    case 'offline': {
      const { walletsFolder, network } = chosen;
      return connected(client, terminal, () => client.ask('engine.start', { walletsFolder, network }));
    }
    case 'found': {
      const { id } = chosen.node;
      terminal.err([nodeText(chosen.node)]);
      return connected(client, terminal, () => client.ask('nodes.connect', { by: 'found', id }));
    }
    case 'node': {
      const { address } = chosen;
      const login = await loginOf(chosen.login, terminal);
      return connected(client, terminal, () => client.ask('nodes.connect', { by: 'hand', address, login }));
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

/** Waits while the node is starting. */
async function connected(
  client: Client,
  terminal: Terminal,
  begin: () => Promise<Connection>,
): Promise<NodeStatus> {
  let leave = () => {};
  const later = new Promise<NodeStatus>((resolve, reject) => {
    leave = client.on('connection', (connection) => {
      if (connection.state === 'starting') terminal.progress(connection.message, connection.message);
      if (connection.state === 'connected') resolve(connection.node);
      if (connection.state === 'lost') reject(AppError.fromShape(connection.error));
    });
  });
  // The connection may fail before the answer arrives.
  later.catch(() => {});
  try {
    const reached = await begin();
    return reached.state === 'connected' ? reached.node : await later;
  } finally {
    leave();
    terminal.progress(null, null);
  }
}
