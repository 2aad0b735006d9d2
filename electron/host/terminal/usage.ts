/** What `--help` says. */
import { say } from '../../../shared/text/say.ts';

/** `program` is how it was started. */
export function usage(program: string): string {
  return [
    say('Wallet Ferry in a terminal.'),
    '',
    ...table([
      [`${program} inspect FILE`, say('what is in a wallet file')],
      [`${program} plan KIND …`, say('what a crossing would do; changes nothing')],
      [`${program} run KIND …`, say('shows the plan, asks, runs it')],
      [`${program} wallets`, say('the wallets of the node')],
      [`${program} activity [ID]`, say('every crossing there was, or one of them')],
      [`${program} export FILE NEW-FILE`, say('writes the descriptors of a wallet file')],
    ]),
    '',
    'KIND',
    ...table([
      ['restore FILE [--name NAME]', say('restores a backup; migrates it where the node needs that')],
      ['migrate WALLET', say('makes a descriptor wallet of a legacy wallet')],
      ['backup WALLET NEW-FILE', say('makes a new backup')],
      [
        'undo FILE [--name NAME]',
        say('restores the legacy wallet from the .legacy.bak file of its migration'),
      ],
    ]),
    '',
    say('Which node (plan, run, wallets; activity where it is to be asked):'),
    ...table([
      ['--node URL --cookie FILE', say('a node, such as {example}', { example: 'http://127.0.0.1:8332' })],
      ['--node URL --user NAME', say('the password is asked for')],
      ['  --password-fd N', say('or read from file descriptor N')],
      [
        '--offline DIR --chain NAME',
        say('no node: the wallets in this folder. {chains}', {
          chains: 'main (default), test, testnet4, signet, regtest',
        }),
      ],
    ]),
    '',
    say('Answers to a plan:'),
    ...table([
      ['--name NAME', say('of the new wallet')],
      ['--passphrase-fd N', say('read the passphrase from file descriptor N; else run asks for it')],
      ['--load-on-startup yes|no', say('whether the node loads the wallet at each start')],
      ['--own-copy', say('you have a copy of the wallet’s file; only where the app can make none')],
      ['--load', say('load the wallet first: a backup needs that')],
      ['--calls', say('show the calls that are sent to the node')],
      ['--yes', say('run without asking')],
    ]),
    '',
    say('For export:'),
    ...table([
      ['--private', say('with the private keys: whoever has the file can spend the coins')],
      ['--format lines|importdescriptors', say('one descriptor a line (default), or what that call takes')],
      [
        '--part primary|watchonly|solvables',
        say('of a legacy wallet: which of the wallets that its migration makes'),
      ],
    ]),
    '',
    say('Always:'),
    ...table([
      ['--json', say('one JSON document on standard output, words on standard error')],
      [
        '--data DIR',
        say(
          'the folder of the app’s data, else {variable} or the app’s own. One app at a time uses it; inspect and export need none.',
          { variable: 'WALLET_FERRY_DATA' },
        ),
      ],
    ]),
    '',
    say('Exit codes:'),
    ...table([
      ['0', say('done')],
      ['1', say('failed or refused, or the proof found a difference')],
      ['2', say('the command line cannot be used')],
      ['3', say('the outcome is not known yet')],
      ['4', say('stopped by a check, something is still asked, or you said no')],
      ['130', say('interrupted; a node goes on, and activity tells the end')],
    ]),
    '',
    say(
      'A passphrase or password is never an argument or in the environment. No window opens, and one that is open is not told.',
    ),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
