import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommandLine, UsageError } from './commandLine.ts';
import { listFds } from './runFerry.ts';

const read = (line: string) => readCommandLine(line.split(' ').map((arg) => (arg === "''" ? '' : arg)));
const OFFLINE = '--offline wallets --chain regtest';
const NODE = '--node http://127.0.0.1:18443 --cookie .cookie';

describe('a command line', () => {
  it('shows the help if it is empty or asks for help', () => {
    for (const args of [[], ['help'], ['--help'], ['inspect', '-h'], ['run', 'migrate', '--help']])
      expect(readCommandLine(args)).toEqual({ verb: 'help' });
    expect(readCommandLine(['--version'])).toEqual({ verb: 'version' });
  });

  it('lists the kinds of files without one', () => {
    expect(read('inspect --kinds')).toMatchObject({ verb: 'kinds' });
    expect(() => read('inspect --kinds wallet.dat')).toThrow(UsageError);
  });

  it('names a file, which becomes a full path', () => {
    const command = { verb: 'inspect', file: resolve('wallet.dat'), network: 'testnet3' };
    const inspecting = read('inspect wallet.dat --chain test --json');
    expect(inspecting).toEqual({ ...command, json: true, dataFolder: null });
  });

  it('names a new file, which becomes a full path', () => {
    expect(read('export a.dat b.txt')).toMatchObject({
      file: resolve('a.dat'),
      destination: resolve('b.txt'),
    });
  });

  it('names a job, its answers and a folder without a node', () => {
    const line = `run restore old.dat --name new --load-on-startup no ${OFFLINE} --yes --passphrase-fd 3`;
    expect(read(line)).toMatchObject({
      verb: 'run',
      action: 'restore',
      subject: resolve('old.dat'),
      passphraseFd: 3,
      yes: true,
      answers: { name: 'new', loadOnStartup: false },
      node: { by: 'offline', walletsFolder: resolve('wallets'), network: 'regtest' },
    });
  });

  it.each([
    ['restore', 'old.dat'],
    // The app reads this file itself.
    ['rescue', resolve('old.dat')],
  ])('keeps the path that a node on another machine reads as it was typed: %s', (action, subject) => {
    expect(read(`plan ${action} old.dat ${NODE}`)).toMatchObject({ subject });
  });

  it('leaves missing answers open', () => {
    const open = { answers: {}, passphraseFd: null, yes: false };
    expect(read(`plan migrate old ${OFFLINE}`)).toMatchObject(open);
  });

  it('names the unnamed wallet by an empty argument, and a name with a dash after two dashes', () => {
    expect(read(`plan migrate '' ${OFFLINE}`)).toMatchObject({ subject: '' });
    expect(read(`plan migrate ${OFFLINE} -- -odd`)).toMatchObject({ subject: '-odd' });
  });

  it('names a node by its address and its cookie, or a user', () => {
    const address = { host: '127.0.0.1', port: 18443, tls: false };
    const login = { by: 'cookie', cookieFile: resolve('.cookie') };
    expect(read(`wallets ${NODE}`)).toMatchObject({ node: { by: 'node', address, login } });
    const byUser = read('wallets --node https://[::1]:8332/ --user ana --password-fd 4');
    const ana = { by: 'password', user: 'ana', fd: 4 };
    expect(byUser).toMatchObject({ node: { address: { host: '::1', port: 8332, tls: true }, login: ana } });
  });

  it('rehearses a plan, and loads a wallet for a run only', () => {
    expect(read(`plan migrate old ${OFFLINE} --rehearse`)).toMatchObject({ rehearse: true, load: false });
    expect(read(`run backup old new.dat ${OFFLINE} --load`)).toMatchObject({ rehearse: false, load: true });
    expect(() => read(`plan backup old new.dat ${OFFLINE} --load`)).toThrow("Unknown option '--load'");
    expect(() => read(`run migrate old ${OFFLINE} --rehearse`)).toThrow("Unknown option '--rehearse'");
  });

  it('backs up one wallet, or all into a folder', () => {
    const all = { action: 'backup', all: 'stick' };
    expect(read(`run backup --all stick ${NODE} --yes`)).toMatchObject(all);
    expect(read(`run backup old new.dat ${NODE}`)).toMatchObject({ subject: 'old', all: null });
    expect(() => read(`run backup old new.dat --all stick ${NODE}`)).toThrow('Unexpected word “old”');
    expect(() => read(`run migrate old --all stick ${NODE}`)).toThrow('--all works only with run backup.');
    expect(() => read(`plan backup --all stick ${NODE}`)).toThrow('--all works only with run backup.');
    for (const option of ['--load', '--name=q', '--from=1', '--passphrase-fd=0', '--calls', '--without-logs'])
      expect(() => read(`run backup --all stick ${NODE} ${option}`)).toThrow(
        `${option.split('=')[0]} has no effect on this job.`,
      );
  });

  it('takes a wallet as an option, because some shells drop an empty word', () => {
    const empty = { action: 'backup', subject: '', answers: { destination: 'new.dat' } };
    expect(read(`run backup --wallet= new.dat ${NODE}`)).toMatchObject(empty);
    expect(read(`run put-back --wallet=-x ${NODE}`)).toMatchObject({ subject: '-x' });
    expect(() => read(`run restore a.dat --wallet=x ${NODE}`)).toThrow('Unexpected word “--wallet”.');
    expect(() => read(`run migrate x --wallet= ${NODE}`)).toThrow('Unexpected word “x”.');
  });

  it('rescans from a height or a day on', () => {
    const from = (option: string) =>
      read(`plan rescan old ${NODE}${option}`) as { subject: string; answers: { rescanFrom?: unknown } };
    expect(from('')).toMatchObject({ action: 'rescan', subject: 'old', answers: { rescanFrom: undefined } });
    expect(from(' --from 1200').answers.rescanFrom).toEqual({ by: 'height', height: 1200 });
    expect(from(' --from 2017-05-31').answers.rescanFrom).toEqual({ by: 'time', time: 1_496_188_800 });
    for (const wrong of ['yesterday', '2017-13-01', '-5', '1.5'])
      expect(() => from(` --from=${wrong}`)).toThrow('--from takes a height, or a date such as 2017-05-31.');
  });

  it('leaves the network and the node to the file and the running nodes', () => {
    expect(read('rescue a.dat --out new')).toMatchObject({ node: { by: 'offline', network: undefined } });
    expect(read('wallets')).toMatchObject({ node: { by: 'running', address: null, network: undefined } });
    const signet = { by: 'running', network: 'signet' };
    expect(read('run restore a.dat --chain signet')).toMatchObject({ node: signet });
    const named = { by: 'running', address: { port: 18443 } };
    expect(read('wallets --node http://127.0.0.1:18443')).toMatchObject({ node: named });
    expect(read('activity')).toMatchObject({ node: null, id: null });
    expect(read('activity one')).toMatchObject({ id: 'one' });
    expect(read('nodes --json')).toMatchObject({ verb: 'nodes', json: true });
  });

  it('suggests a similar option or command', () => {
    expect(() => read('wallets --ofline w')).toThrow('Did you mean --offline?');
    expect(() => read('rescu a.dat')).toThrow('Did you mean rescue?');
    expect(() => read('wallets --zzz')).toThrow(/^Unknown option '--zzz'\.$/);
  });

  it('lists all file descriptors that it names', () => {
    const named = (line: string) => listFds(read(line)).map(({ option, fd, use }) => [option, fd, use]);
    expect(named('passphrase a.dat --pieces-fd 0 --found-fd 3')).toEqual([
      ['--pieces-fd', 0, 'read'],
      ['--found-fd', 3, 'write'],
    ]);
    expect(named('rescue - --node http://127.0.0.1:1 --user ana --password-fd 4 --passphrase-fd 5')).toEqual([
      ['--password-fd', 4, 'read'],
      ['--passphrase-fd', 5, 'read'],
      ['-', 0, 'read'],
    ]);
    expect(named(`run migrate ${OFFLINE} -- -`)).toEqual([]);
  });

  it('runs a rescue without asking only if it writes into a folder', () => {
    expect(read('rescue a.dat --out new')).toMatchObject({ verb: 'run', yes: true });
    expect(read(`rescue a.dat ${NODE}`)).toMatchObject({ verb: 'run', yes: false });
    expect(read(`rescue a.dat ${NODE} --yes`)).toMatchObject({ yes: true });
  });

  it('names the variations of a passphrase, but never the passphrase', () => {
    expect(read('passphrase a.dat --typos 2 --capitals --pieces-fd 0 --found-fd 3')).toMatchObject({
      file: resolve('a.dat'),
      variations: { typos: 2, capitals: true, orders: false },
      piecesFd: 0,
      foundFd: 3,
      show: false,
      yes: false,
      resume: false,
    });
    expect(() => read('passphrase a.dat --typos 3')).toThrow('--typos takes 0, 1 or 2');
    expect(() => read('passphrase a.dat horse')).toThrow('Unexpected word');
    expect(() => read('passphrase a.dat --pieces horse')).toThrow("Unknown option '--pieces'");
  });

  it.each([
    ['inspct wallet.dat', 'Unknown command'],
    ['inspect', 'FILE is missing'],
    ['inspect a.dat b.dat', 'Unexpected word “b.dat”'],
    ['inspect a.dat --yes', "Unknown option '--yes'"],
    ['plan restore a.dat --name -x', "Option '--name' argument is ambiguous. Write --name=-…"],
    [`inspect a.dat ${NODE}`, "Unknown option '--node'"],
    [`plan ${OFFLINE}`, 'Name an action'],
    [`plan sweep a.dat ${OFFLINE}`, 'Name an action'],
    [`plan restore '' ${OFFLINE}`, 'FILE is missing'],
    [`plan migrate ${OFFLINE}`, 'WALLET is missing. The unnamed wallet: --wallet='],
    [`plan migrate old ${OFFLINE} --yes`, "Unknown option '--yes'"],
    [`run backup old ${OFFLINE}`, 'NEW-FILE is missing. The unnamed wallet: --wallet='],
    [`run migrate old ${OFFLINE} --passphrase secret`, "Unknown option '--passphrase'"],
    [`run migrate old ${OFFLINE} --passphrase-fd secret`, 'a file descriptor'],
    [`run migrate old ${OFFLINE} --passphrase-fd 1`, 'a file descriptor'],
    [`run restore a.dat ${OFFLINE} --load-on-startup perhaps`, '--load-on-startup takes yes or no'],
    ['wallets --node http://127.0.0.1:18443 --cookie a --user b', 'needs --cookie'],
    ['wallets --node http://ana:secret@127.0.0.1:18443 --cookie a', 'takes an address'],
    ['wallets --node 127.0.0.1:18443 --cookie a', 'takes an address'],
    ['wallets --node http://127.0.0.1:99999 --cookie a', 'takes an address'],
    [`wallets ${NODE} ${OFFLINE}`, 'Use --node or --offline'],
    [`wallets ${NODE} --chain main`, 'Use --node or --chain'],
    ['wallets --offline w --cookie a', 'go with --node'],
    ['wallets --offline w --chain mainnet', '--chain takes main, test, testnet4, signet or regtest'],
    ['wallets --offline= --chain main', '--offline is empty'],
    ['rescue a.dat --out=', '--out is empty'],
    ['export a.dat', 'NEW-FILE is missing'],
    ['export a.dat b.txt --format pdf', '--format takes lines, importdescriptors, electrum or wif'],
    ['export a.dat b.txt --format wif', 'Private keys need --private.'],
  ])('is refused: %s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });
});
