/** Parses and checks the engine's command line. */
import { parseArgs } from 'node:util';
import { chainNames } from '../../shared/model/network.ts';
import { engineReleases } from './rpc/dialect.ts';
import { EngineError } from './wallets/engineError.ts';

export const usage = `Wallet Ferry's offline engine: a node's wallet calls on real wallet files, without a chain.

  --wallets DIR         the wallets folder (created if it is missing)
  --chain NAME          ${chainNames.join(', ')} (default main)
  --release NUMBER      the release whose calls to support: ${engineReleases.join(', ')} (default 30)
  --host ADDRESS        the address to listen on (default 127.0.0.1); other computers get 403
  --port NUMBER         the port; 0 for any free one (default 0)
  --state DIR           the engine's own folder, outside the wallets folder (default: your system's usual place)
  --cookie FILE         where to write the login (default .engine.cookie next to the wallets folder)
  --rpcuser NAME        a second login, together with --rpcpassword
  --rpcpassword TEXT
  --deprecatedrpc walletwarningfield
                        release 25: also return the old field "warning"
  --end-with-parent     stop when the standard input closes, as when the parent process has ended. A failed start
                        then also prints one line of JSON
  --help

Prints one line of JSON when it is ready. SIGTERM, SIGINT and the call "stop" stop it.
`;

export type CommandLine = NonNullable<ReturnType<typeof readCommandLine>>;

/** Null for `--help`. Throws EngineError that names the wrong option. */
export function readCommandLine(args: readonly string[]) {
  const values = parseOptions(args);
  if (values.help) return null;
  if (!values.wallets) throw new EngineError('--wallets is missing: give the folder of the wallets.');
  const chain = chainNames.find((name) => name === values.chain);
  if (!chain) throw new EngineError(`--chain must be one of ${chainNames.join(', ')}.`);
  const release = engineReleases.find((number) => String(number) === values.release);
  if (!release) throw new EngineError(`--release must be one of ${engineReleases.join(', ')}.`);
  const { rpcuser: user, rpcpassword: password } = values;
  if ((user === undefined) !== (password === undefined)) {
    throw new EngineError('--rpcuser and --rpcpassword go together.');
  }
  if (user?.includes(':')) throw new EngineError('--rpcuser cannot hold a colon.');
  const deprecated = values.deprecatedrpc ?? [];
  if (deprecated.some((name) => name !== 'walletwarningfield')) {
    throw new EngineError('--deprecatedrpc knows only walletwarningfield.');
  }
  return {
    endWithParent: values['end-with-parent'],
    /** The wallets folder, created if it is missing. */
    wallets: values.wallets,
    chain,
    release,
    host: values.host,
    port: portOf(values.port),
    /** The engine's own folder, outside the wallets folder; created if it is missing. Null: `defaultStateFolder`. */
    state: values.state ?? null,
    /** Null: `.engine.cookie` in the chain folder. */
    cookie: values.cookie ?? null,
    login: user !== undefined && password !== undefined ? { user, password } : null,
    walletWarningField: deprecated.length > 0,
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        wallets: { type: 'string' },
        chain: { type: 'string', default: 'main' },
        release: { type: 'string', default: '30' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '0' },
        state: { type: 'string' },
        cookie: { type: 'string' },
        rpcuser: { type: 'string' },
        rpcpassword: { type: 'string' },
        deprecatedrpc: { type: 'string', multiple: true },
        'end-with-parent': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const words = error instanceof Error ? error.message.split('. ')[0] : 'The options cannot be read';
    throw new EngineError(`${words}. See --help.`);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port;
  throw new EngineError('--port must be a number from 0 to 65535.');
}
