/** The text of `--help`, and the exit codes. */
import type { Job } from '../../shared/model/job.ts';
import { chainNames } from '../../shared/model/network.ts';
import { indented, table } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';

/** `program`: the command that started it. */
export function usage(program: string): string {
  return [
    say('Wallet Ferry in a terminal.'),
    '',
    ...described([
      [`${program} inspect FILE`, say('what is in a wallet file')],
      [`${program} inspect --kinds`, say('what the app takes, and what opens the rest')],
      [`${program} plan KIND …`, say('what a job would do; changes nothing')],
      [`${program} run KIND …`, say('shows the plan, asks, runs it')],
      [`${program} nodes`, say('the nodes on this computer')],
      [`${program} wallets`, say('the wallets of the node')],
      [`${program} activity [ID]`, say('all jobs, or one')],
      [`${program} rescue FILE|- --out DIR`, say('rescues a broken file, or keys')],
      [`${program} search IMAGE [--out DIR]`, say('finds deleted wallets in a disk image')],
      [`${program} export FILE NEW-FILE`, say('writes a wallet file’s descriptors')],
      [`${program} passphrase FILE`, say('finds a half-remembered passphrase')],
    ]),
    '',
    'KIND',
    ...described([
      ['restore FILE [--name NAME]', say('restores a backup, and migrates it if needed')],
      ['migrate WALLET', say('migrates a legacy wallet')],
      ['backup --all DIR', say('run: backs up every wallet into a folder')],
      ['backup WALLET NEW-FILE', say('makes a new backup')],
      ['rescan WALLET [--from HEIGHT|DATE]', say('looks through all blocks for its payments')],
      ['undo FILE [--name NAME]', say('restores the legacy wallet from its .legacy.bak')],
      ['put-back WALLET', say('puts a half-migrated wallet back from a whole copy')],
    ]),
    '',
    say('Which node, where not the only one that runs:'),
    ...described([
      ['--node URL', say('one of this computer')],
      ['--node URL --cookie FILE', say('a node, such as {example}', { example: 'http://127.0.0.1:8332' })],
      ['--node URL --user NAME', say('the password is asked for')],
      ['  --password-fd N', say('or read from file descriptor N')],
      ['--offline DIR', say('no node: the wallets in this folder')],
      ['--chain NAME', say('else the wallet’s own: {chains}', { chains: chainNames.join(', ') })],
    ]),
    '',
    say('Answers to a plan:'),
    ...described([
      ['--name NAME', say('of the new wallet')],
      ['--passphrase-fd N', say('passphrase from file descriptor N; else run asks')],
      ['--load-on-startup yes|no', say('load the wallet at each start')],
      ['--load-afterwards yes|no', say('load migrated wallets (release 32)')],
      ['--copy FILE', say('put-back: this copy, not the likeliest one')],
      ['--own-copy', say('you have a copy yourself')],
      ['--loss-read', say('you read what the rehearsal found')],
      ['--logs DIR, --without-logs', say('rescue: the folder “database”, or none')],
      ['--open-only', say('rescue: only keys that need no passphrase')],
      ['--without-damaged', say('rescue: leave out damaged keys of a text')],
      ['--wallets-folder DIR', say('the node’s wallets folder, where it is not known')],
      ['--bitcoin-keys', say('its keys are Bitcoin’s')],
      ['--calls', say('show the calls')],
      ['--rehearse', say('plan: rehearse the migration on a copy')],
      ['--load', say('run: load the wallet before the backup')],
      ['--yes', say('run without asking')],
    ]),
    '',
    say('For export:'),
    ...described([
      ['--private', say('with private keys, which can spend the coins')],
      ['--format lines|importdescriptors', say('one a line (default), or for that call')],
      ['  electrum|wif', say('private keys to sweep')],
      ['--part primary|watchonly|solvables', say('of a legacy wallet: which migrated wallet')],
    ]),
    '',
    say('For passphrase:'),
    ...described([
      ['--pieces-fd N', say('pieces from file descriptor N')],
      ['--orders --spaces --capitals', say('variations to try')],
      ['--typos 1|2 --keyboards --encodings', ''],
      ['--show', say('print the passphrase')],
      ['--found-fd N', say('or write it to N')],
      ['--go-on', say('continue the last search')],
      ['--yes', say('run without asking')],
    ]),
    '',
    say('Always:'),
    ...described([
      ['--json', say('one JSON document on standard output')],
      ['--data DIR', say('the app’s data folder, else {variable}', { variable: 'WALLET_FERRY_DATA' })],
    ]),
    '',
    say('The app’s log, for whoever helps you: app.log in the data folder. Nothing private is in it.'),
    '',
    say('Exit codes:'),
    ...described([
      ['0', say('done')],
      ['1', say('failed, refused, or a difference found')],
      ['2', say('invalid command line')],
      ['3', say('the outcome is not known yet')],
      ['4', say('stopped, incomplete or declined')],
      ['5', say('interrupted; put-back puts the wallet back')],
      ['130', say('interrupted; see activity')],
    ]),
    '',
    say('Secrets are never arguments or in the environment.'),
  ].join('\n');
}

const described = (rows: readonly (readonly [string, string])[]) => indented(table(rows));

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unknown: 3,
  stopped: 4,
  jobInterrupted: 5,
  interrupted: 130,
} as const;

/** The exit code for a job's present state. */
export function exitCodeOf({ state, proof }: Pick<Job, 'state' | 'proof'>): number {
  if (state === 'done') return proof?.verdict === 'different' ? EXIT.failed : EXIT.done;
  if (state === 'interrupted') return EXIT.jobInterrupted;
  return state === 'failed' ? EXIT.failed : EXIT.unknown;
}
