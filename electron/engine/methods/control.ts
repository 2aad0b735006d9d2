/** Calls about the engine itself: `getrpcinfo`, `help`, `uptime`, `stop`. */
import { RpcError } from '../rpc/rpcError.ts';
import { helpOf, usageOf } from './callArguments.ts';
import { type Method, optional, type Signature } from './method.ts';

export const getRpcInfo: Method = {
  name: 'getrpcinfo',
  group: 'control',
  about: 'The calls under way, and the log.',
  params: [],
  run: ({ engine }) => ({ active_commands: engine.activeCalls.list(), logpath: engine.log.path }),
};

export const uptime: Method = {
  name: 'uptime',
  group: 'control',
  about: 'Whole seconds since the engine started.',
  params: [],
  run: ({ engine }) => engine.uptime(),
};

export const stop: Method = {
  name: 'stop',
  group: 'control',
  about: 'Ends the engine once the calls under way are answered.',
  params: [optional('wait', 'number', 'Not used.')],
  run: ({ engine }) => {
    engine.stop();
    return 'Wallet Ferry engine stopping';
  },
};

/** `help` lists the others, so it is made of them. */
export function makeHelp(others: readonly Signature[]): Method {
  const help: Method = {
    name: 'help',
    group: 'control',
    about: 'All calls, or what one of them does.',
    params: [optional('command', 'string', 'The call to tell of.')],
    run: ({ engine, args }) => {
      const known = [...others, help].filter((method) => method.isIn?.(engine.dialect) ?? true);
      const command = args.text('command');
      if (command === null || command === '') return overview(known);
      const method = known.find(({ name }) => name === command);
      if (!method) throw new RpcError('misc', `help: unknown command: ${command}`);
      return helpOf(method);
    },
  };
  return help;
}

function overview(methods: readonly Signature[]): string {
  const groups = [...new Set(methods.map((method) => method.group))].sort();
  return groups
    .map((group) => {
      const usages = methods.filter((method) => method.group === group).map(usageOf);
      return [`== ${group.charAt(0).toUpperCase()}${group.slice(1)} ==`, ...usages.sort()].join('\n');
    })
    .join('\n\n');
}
