/** The text of `--help`, and the exit codes. */
import type { Job } from '../../shared/model/job.ts';
import { chainNames } from '../../shared/model/network.ts';
import { indented, table } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import { ANSWER_WORDS } from './answerOptions.ts';

/** `program`: the command that started it. */
export function usage(program: string): string {
  return [
    say('Wallet Ferry in a terminal.'),
    '',
    ...described([
      [`${program} inspect FILE`, say('shows a wallet file')],
      [`${program} inspect --kinds`, say('file kinds, and what opens them')],
      [`${program} plan KIND …`, say('checks a job; changes nothing')],
      [`${program} run KIND …`, say('shows the plan, asks, runs it')],
      [`${program} nodes`, say('nodes on this computer')],
      [`${program} wallets`, say('the node’s wallets')],
      [`${program} activity [ID]`, say('all jobs, or one')],
      [`${program} rescue FILE|- --out DIR`, say('rescues a broken file, or keys')],
      [`${program} search IMAGE [--out DIR]`, say('finds deleted wallets in a disk image')],
      [`${program} export FILE NEW-FILE`, say('writes a wallet file’s descriptors')],
      [`${program} passphrase FILE`, say('finds a half-remembered passphrase')],
    ]),
    '',
    'KIND',
    ...described([
      ['restore FILE [--name NAME]', say('restores a backup, migrating if needed')],
      ['migrate WALLET', say('migrates a legacy wallet')],
      ['backup --all DIR', say('run: backs up every wallet')],
      ['backup WALLET NEW-FILE', say('makes a new backup')],
      ['rescan WALLET [--from HEIGHT|DATE]', say('finds its payments')],
      ['undo FILE [--name NAME]', say('brings the legacy wallet back')],
      ['put-back WALLET', say('puts a half-migrated wallet back')],
    ]),
    '',
    say('Node, unless only one runs:'),
    ...described([
      ['--node URL', say('one of this computer')],
      ['--node URL --cookie FILE', say('a node, such as {example}', { example: 'http://127.0.0.1:8332' })],
      ['--node URL --user NAME', say('asks for the password')],
      ['  --password-fd N', say('from file descriptor N')],
      ['--offline DIR', say('no node: this folder’s wallets')],
      ['--chain NAME', say('else the wallet’s own: {chains}', { chains: chainNames.join(', ') })],
    ]),
    '',
    say('Answers to a plan:'),
    ...described([
      ['--name NAME', ANSWER_WORDS.name],
      ['--passphrase-fd N', ANSWER_WORDS.passphrase],
      ['--load-on-startup yes|no', ANSWER_WORDS['load-on-startup']],
      ['--load-afterwards yes|no', ANSWER_WORDS['load-afterwards']],
      ['--copy FILE', say('put-back: this copy')],
      ['--own-copy', ANSWER_WORDS['own-copy']],
      ['--loss-read', ANSWER_WORDS['read-loss']],
      ['--logs DIR, --without-logs', ANSWER_WORDS.logs],
      ['--open-only', say('rescue: only unencrypted keys')],
      ['--without-damaged', say('rescue: without damaged keys')],
      ['--wallets-folder DIR', ANSWER_WORDS['wallets-folder']],
      ['--bitcoin-keys', ANSWER_WORDS['bitcoin-keys']],
      ['--calls', say('show the calls')],
      ['--rehearse', say('plan: rehearse the migration')],
      ['--load', say('run: load the wallet first')],
      ['--yes', say('run without asking')],
    ]),
    '',
    say('For export:'),
    ...described([
      ['--private', say('with private keys')],
      ['--format lines|importdescriptors', say('one a line (default), or for that call')],
      ['  electrum|wif', say('private keys to sweep')],
      ['--part primary|watchonly|solvables', say('which migrated wallet')],
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
      ['--json', say('print JSON')],
      ['--data DIR', say('the app’s data folder, else {variable}', { variable: 'WALLET_FERRY_DATA' })],
    ]),
    '',
    say('Log: app.log in the data folder. Nothing private is in it.'),
    '',
    say('Exit codes:'),
    ...described([
      ['0', say('done')],
      ['1', say('failed, refused, or different')],
      ['2', say('invalid command line')],
      ['3', say('outcome not known yet')],
      ['4', say('stopped, incomplete or declined')],
      ['5', say('interrupted; see put-back')],
      ['130', say('interrupted; see activity')],
    ]),
    '',
    say('No secrets in arguments or environment.'),
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
