import { describe, expect, it } from 'vitest';
import { readCommandLine } from './commandLine.ts';

describe('readCommandLine', () => {
  it('reads every option', () => {
    const args =
      '--wallets w --chain test --release 25 --host ::1 --port 8332 --state s --cookie c --rpcuser u --rpcpassword p:q --deprecatedrpc walletwarningfield --end-with-parent';
    expect(readCommandLine(args.split(' '))).toEqual({
      endWithParent: true,
      wallets: 'w',
      chain: 'test',
      release: 25,
      host: '::1',
      port: 8332,
      state: 's',
      cookie: 'c',
      login: { user: 'u', password: 'p:q' },
      walletWarningField: true,
    });
  });

  it('needs the wallets folder only', () => {
    const read = readCommandLine(['--wallets=w']);
    expect(read).toMatchObject({
      endWithParent: false,
      chain: 'main',
      release: 30,
      host: '127.0.0.1',
      port: 0,
      login: null,
    });
  });

  it.each([
    ['', '--wallets is missing'],
    ['--wallets w --chain mainnet', '--chain must be one of main, test, testnet4, signet, regtest'],
    ['--wallets w --release 31', '--release must be one of 23, 25, 28, 30'],
    ['--wallets w --port 70000', '--port must be'],
    ['--wallets w --rpcuser u', 'go together'],
    ['--wallets w --rpcuser u:v --rpcpassword p', 'colon'],
    ['--wallets w --deprecatedrpc x', '--deprecatedrpc'],
    ['--wallets w --nosuch', "Unknown option '--nosuch'"],
    ['--wallets w more', 'more'],
  ])('refuses %j', (args, words) => {
    expect(() => readCommandLine(args === '' ? [] : args.split(' '))).toThrow(words);
  });
});
