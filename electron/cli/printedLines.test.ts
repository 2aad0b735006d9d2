import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../shared/model/files.ts';
import type { Job } from '../../shared/model/job.ts';
import type { FoundNode, NodeStatus } from '../../shared/model/node.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Check, Interruption } from '../../shared/model/safety.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { sampleInspection } from '../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../shared/testing/samplePlan.ts';
import { sampleRescue } from '../../shared/testing/sampleRescue.ts';
import { sampleWallet } from '../../shared/testing/sampleWallet.ts';
import { resultRows } from '../../shared/wording/jobLines.ts';
import { cardWords } from '../../shared/wording/planWords.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { inspectionLines, nodeLines, planLines, rehearsalLines, walletLines } from './printedLines.ts';

const ferry = { program: 'ferry', jobs: [] };
const ferryOnly = { program: 'ferry', interruption: null };

it('prints each node’s address and its state', () => {
  const found: Omit<FoundNode, 'state'> = {
    id: 'a',
    dataFolder: '/home/ana/.bitcoin',
    network: 'regtest',
    address: { host: '::1', port: 18443, tls: false },
    credentials: 'cookie',
  };
  const error = { code: 'busy', message: 'The node is too busy.', hint: '' } as const;
  const nodes = [{ state: 'asks-login' } as const, { state: 'failed', error } as const];
  expect(nodeLines(nodes.map((state) => ({ ...found, state })))).toEqual([
    'Regtest  http://[::1]:18443  Asks for a login       /home/ana/.bitcoin',
    'Regtest  http://[::1]:18443  The node is too busy.  /home/ana/.bitcoin',
  ]);
  const failed = { ...found, state: { state: 'asks-login' }, partlyRead: true } as const;
  expect(nodeLines([failed, { ...failed, network: 'main' }]).slice(2)).toEqual([
    'bitcoin.conf in /home/ana/.bitcoin: only partly read.',
  ]);
  expect(nodeLines([])).toEqual(['No node found on this computer']);
});

it('answers first whether the wallet is safe, and last what to do with its file', () => {
  const lines = (change: Parameters<typeof sampleInspection>[0], interruption: Interruption | null = null) =>
    inspectionLines(
      '/old wallet.dat',
      sampleInspection({ keys: { ...keys, plain: 4 }, records: { ...records, total: 9 }, ...change }),
      { interruption, program: 'ferry' },
    );
  const { keys, records } = sampleInspection();
  const whole = lines({});
  expect(whole[1]).toContain('Bitcoin Core 30 and later cannot open it until it is migrated.');
  expect(whole.slice(-3)).toEqual([
    'Next',
    "  ferry plan restore '/old wallet.dat'",
    "  Without a node: ferry plan restore '/old wallet.dat' --offline DIR",
  ]);
  const refused = lines({ conditions: [{ code: 'page-version', shown: [], total: 1 }] as never });
  expect(refused[1]).toContain('Bitcoin Core refuses this file.');
  expect(refused.at(-1)).toBe("  ferry rescue '/old wallet.dat' --out DIR");
  const ofOther = { verdict: 'other', coins: ['Dogecoin'], programs: [], evidence: [] } as const;
  expect(lines({ coin: ofOther }).at(-2)).not.toBe('Next');
  const half = { incomplete: 'legacy-records' } as const;
  expect(lines(half).at(-1)).toBe("  ferry rescue '/old wallet.dat' --out DIR");
  const copy = { path: '/old.legacy.bak', from: 'legacy-backup', made: 1, size: 9, sha256: 'ab'.repeat(32) };
  const found = { wallet: null, file: null, cause: 'no-descriptors', copies: [{ ...copy, matches: false }] };
  const empty = { page: null, finding: { code: 'empty_wallet' }, lost: false } as const;
  const blank = lines({ incomplete: 'no-descriptors', problems: [empty] }, found as Interruption);
  expect(blank.at(-1)).toBe('  ferry run restore /old.legacy.bak');
  expect(blank.join()).not.toContain('empty');
  expect(blank.slice(-4)).toEqual([
    'Next',
    '  The migration stopped halfway. The old wallet is whole.',
    '  The half-migrated wallet is kept too.',
    '  ferry run restore /old.legacy.bak',
  ]);
  const alone = lines({ incomplete: 'no-descriptors' }, { ...found, copies: [] } as Interruption);
  expect(alone.at(-2)).toBe('  No whole copy was found.');
  expect(alone.at(-1)).toMatch(/^ {2}Keep the file\. Look .*\.legacy\.bak/);
});

it('counts damaged pages in one line', () => {
  const onPage = (page: number | null) =>
    ({ page, finding: { code: 'keys_locked', count: 1 }, lost: true }) as never;
  const warnings = (pages: (number | null)[]) => {
    const lines = inspectionLines('/w', sampleInspection({ problems: pages.map(onPage) }), ferryOnly);
    return lines.slice(lines.indexOf('Warning') + 1, lines.indexOf('', lines.indexOf('Warning')));
  };
  const [alone] = warnings([7]);
  expect(warnings([7, 7, 9, 21, null])).toEqual(['  Damaged pages: 3', alone]);
});

it('says what a text with keys is, and how to rescue it', () => {
  const facts = { fileKind: { code: 'private_keys' }, kind: 'other', size: 9 } as FileFacts;
  const { keys, records } = sampleInspection();
  const text = sampleInspection({ keys: { ...keys, plain: 1 }, records: { ...records, total: 1 } });
  const lines = inspectionLines('/keys.txt', text, { ...ferryOnly, facts });
  expect(lines[1]).toContain('Not a wallet yet.');
  expect(lines.find((line) => line.startsWith('What it is'))).toMatch(/ private keys$/);
  expect(lines.at(-1)).toBe('  ferry rescue /keys.txt --out DIR');
  const plan = samplePlan({ action: 'rescue' });
  const contents = text as never;
  const printed = planLines(
    { ...plan, facts: { ...plan.facts, contents, file: facts } },
    { calls: false, hasPassphrase: false },
  );
  expect(printed.find((line) => line.includes('Kind'))).toMatch(/ private keys$/);
});

it.each([
  ['.bitcoin/wallets/wallet.dat', 'put-back --wallet='],
  ['.bitcoin/wallet.dat', 'put-back --wallet='],
  ['.bitcoin/regtest/wallet.dat', 'put-back --wallet='],
  ['.bitcoin/regtest/wallets/savings/wallet.dat', 'put-back savings'],
  ['.bitcoin/wallets/family/alice/wallet.dat', 'put-back family/alice'],
  ['.bitcoin/savings/wallet.dat', 'put-back savings'],
  ['.bitcoin/old.dat', 'put-back old.dat'],
  ['stick/wallets/wallet.dat', 'restore /w.bak'],
  ['home/Bitcoin/savings/wallet.dat', 'restore /w.bak'],
])(
  'puts an interrupted wallet back by its name, or restores its copy if no name is known: %s',
  (path, command) => {
    const copies = [{ path: '/other.bak', isOther: true }, { path: '/w.bak' }];
    const interruption = { wallet: null, file: null, cause: 'no-format', copies } as unknown as Interruption;
    const folder = makeTestFolder();
    for (const chain of ['.bitcoin', join('.bitcoin', 'regtest')]) {
      mkdirSync(join(folder, chain));
      writeFileSync(join(folder, chain, '.lock'), '');
    }
    const lines = inspectionLines(join(folder, ...path.split('/')), sampleInspection(), {
      interruption,
      program: 'ferry',
    });
    expect(lines.at(-1)).toBe(`  ferry run ${command}`);
  },
);

it('says under which name an interrupted wallet was restored, or that no copy is whole', () => {
  const half = sampleWallet({ name: 'half', kind: 'interrupted' });
  const lines = (interruption: NonNullable<typeof half.interruption>) =>
    walletLines([{ ...half, interruption }], sampleNodeStatus(), ferry).join('\n');
  expect(lines({ copies: 1 })).not.toContain('copy');
  expect(lines({ copies: 0 })).toContain('No whole copy was found.');
  expect(lines({ copies: 0 })).not.toContain('rescue');
  expect(lines({ copies: 0, toRescue: '/w.dat' })).toContain('→ ferry rescue /w.dat --out DIR');
  const back = lines({ copies: 1, restoredAs: 'savings' });
  expect(back).toContain('Kept, not in use');
  expect(back).toContain('Restored as “savings”.');
  expect(back).not.toContain('Interrupted');
});

it('says of a damaged wallet that it is, and how to rescue it', () => {
  const wallet = sampleWallet({ name: 'broken', damagedFile: '/node/broken/wallet.dat' });
  expect(walletLines([wallet, sampleWallet()], sampleNodeStatus(), ferry).slice(3)).toEqual([
    '',
    '“broken”',
    '  Damaged. A rescue saves what is left.',
    '  → ferry rescue /node/broken/wallet.dat --out DIR',
  ]);
});

it('says that another folder was there with the wallet of a job, until the list has it', () => {
  const folder = { walletsFolder: '/usb', walletsFolderMark: { dev: '1', ino: '2', born: '3' } };
  const node = sampleNodeStatus({ ...folder, walletsFolderMark: { dev: '9', ino: '2', born: '4' } });
  const jobIn = (of: Partial<Job['node']>) =>
    sampleJob({ wallet: 'sav', node: { ...sampleJob().node, network: node.network, ...of } });
  const first = (wallets: Wallet[], ...jobs: Job[]) => walletLines(wallets, node, { ...ferry, jobs })[0];
  const words = 'Another folder was here with “sav”. Is its disk connected?';
  expect(first([], jobIn(folder))).toBe(words);
  expect(first([sampleWallet()], jobIn(folder))).toBe(words);
  for (const name of ['sav', './sav', '/usb/sav'])
    expect(first([sampleWallet({ name })], jobIn(folder))).not.toBe(words);
  // A restore that failed made no wallet.
  for (const where of [folder, { ...folder, walletsFolderMark: node.walletsFolderMark }]) {
    const failed = { ...jobIn(where), wallet: 'typo', state: 'failed' } as const;
    expect([first([], failed), first([], failed, jobIn(folder))]).toEqual(['No wallets yet', words]);
  }
  expect(first([], jobIn({ ...folder, walletsFolderMark: node.walletsFolderMark }), jobIn(folder))).toBe(
    'No wallets yet',
  );
  expect(first([], jobIn({ ...folder, network: 'signet' }))).toBe('No wallets yet');
});

it('says that the balances of a node that is behind are the last known ones', () => {
  const wallet = sampleWallet({ balance: { spendable: 5n, watched: 0n, notYours: 0n } });
  const lines = (change: Partial<NodeStatus>) =>
    walletLines([wallet], sampleNodeStatus(change), ferry).join('\n');
  expect(lines({})).not.toContain('last known');
  expect(lines({ initialBlockDownload: true })).toContain('last known');
});

const check = (change: Partial<Check>): Check => ({
  id: 'release',
  verdict: 'fine',
  title: 'Fine',
  text: [],
  todo: [],
  ...change,
});

const linesOf = (change: Partial<Plan>, options: Partial<Parameters<typeof planLines>[1]> = {}) =>
  planLines(samplePlan(change), { calls: false, hasPassphrase: false, ...options }).join('\n');

describe('a plan in the terminal', () => {
  it('says where it moves an incomplete wallet', () => {
    const [name, newName] = ['old', 'old.interrupted-20261121-045512'];
    const paths = { path: `/node/${newName}`, now: '/node/old/wallet.dat' };
    expect(linesOf({ movedWallets: [{ name, newName, ...paths }] })).toContain(
      ['Kept, not in use', `  Kept as “${newName}”`, `    /node/${newName}`].join('\n'),
    );
    const stays = linesOf({ movedWallets: [{ name, newName: name, path: paths.now, now: paths.now }] });
    expect(stays).toContain('The incomplete wallet stays “old”');
    const movedWallets = [{ name, newName: name }];
    const result = { kind: 'restore', walletName: 'old', walletKind: 'legacy', balance: null } as const;
    expect(resultRows(sampleJob({ result: { ...result, movedWallets } }))).toContainEqual([
      'Kept, not in use',
      '“old”',
    ]);
  });

  it('prints blockers and warnings with what to do, and counts what passed', () => {
    const text = linesOf({
      checks: [
        check({ verdict: 'blocker', title: 'No room', text: ['It needs 2 MB.'], todo: ['Make room.'] }),
        check({ verdict: 'warning', title: 'A pruned node' }),
        check({ verdict: 'unseen', title: 'The disk cannot be seen' }),
        check({ title: 'The release fits' }),
      ],
      asks: [{ ask: 'name', value: 'new', check: check({ title: 'The name is free' }) }],
    });
    expect(text).toContain(`Checks
  Stop: No room
    It needs 2 MB.
    → Make room.
  Warning: A pruned node
  Not known: The disk cannot be seen
  Checks passed: 2`);
    expect(text).not.toContain('The release fits');
    expect(text).not.toContain('Still needed');
  });

  it('prints neither a result nor copies where no answer lets it run', () => {
    const outlook: Partial<Plan> = {
      makes: [{ part: 'primary', name: 'old', descriptors: null, certain: false }],
      copies: [{ text: 'The app copies the file first.', folder: null }],
    };
    const stop = check({ verdict: 'blocker' });
    const stopped = linesOf({ ...outlook, checks: [stop] });
    expect(stopped).not.toContain('Result');
    expect(stopped).not.toContain('Copies');
    const asks: Plan['asks'] = [{ ask: 'name', value: 'new', check: stop }];
    expect(linesOf({ ...outlook, asks })).toMatch(/Result: up to 1 wallet.*Copies/s);
  });

  it('says what an undo does with the names', () => {
    const undo: Partial<Plan> = {
      action: 'undo',
      kind: 'restore',
      makes: [{ part: 'primary', name: 'old', descriptors: null, certain: true }],
    };
    expect(linesOf(undo)).toContain('returns under a new name; the new ones stay.');
    const call = { method: 'renamewallet', params: [], wallet: null, when: null };
    expect(linesOf({ ...undo, calls: [call] })).toContain('the new ones are renamed.');
  });

  it('names the block where a rescan starts', () => {
    const of = (value: number): Partial<Plan> => ({
      action: 'rescan',
      kind: 'rescan',
      asks: [{ ask: 'rescan-from', value, check: check({}) }],
    });
    expect(linesOf(of(0))).toMatch(/^Rescan everything: “old”/);
    expect(linesOf(of(1000))).toMatch(/^Rescan from block 1,000: “old”/);
    const card = (value: number) => cardWords('rescan', samplePlan(of(value)), false).title;
    expect([0, 1000].map(card)).toEqual(['Rescan everything', 'Rescan from block 1,000']);
  });

  it('ends a rehearsal with its verdict', () => {
    const wallets = [{ part: 'primary', name: 'old', found: sampleInspection() }] as const;
    const plan = samplePlan({ checks: [check({ id: 'rehearsal', title: 'Rehearsal: everything arrived' })] });
    expect(rehearsalLines({ wallets: [...wallets], proof: {} as never }, plan).at(-1)).toBe(
      '  Rehearsal: everything arrived',
    );
  });

  it('names the option for each open question', () => {
    const asks: Plan['asks'] = [
      { ask: 'passphrase', needed: true, canBeTried: true, secondsPerTry: null },
      { ask: 'own-copy', value: false },
    ];
    expect(linesOf({ asks })).toContain('--passphrase-fd N');
    expect(linesOf({ asks })).toContain('--own-copy');
    expect(linesOf({ asks }, { hasPassphrase: true })).not.toContain('--passphrase-fd N');
  });

  it('is a restore and a migration if it does both', () => {
    expect(linesOf({ action: 'restore', kind: 'restore' })).toMatch(/^Restore this wallet: “old”/);
    expect(linesOf({ action: 'restore', kind: 'restore-migrate' })).toMatch(/^Restore and migrate: “old”/);
  });

  it('counts addresses with a balance, including watched ones', () => {
    const known = sampleInspection();
    const { spendable, watched } = known.balance;
    const result = (own: number, others: number) => {
      const addresses = {
        spendable: { ...spendable, addresses: own },
        watched: { ...watched, addresses: others },
      };
      const balance = { ...known.balance, ...addresses };
      const contents = { ...known, keys: { ...known.keys, plain: 134 }, balance };
      return linesOf({
        facts: { file: null, path: null, sha256: null, rescue: null, contents },
        makes: [{ part: 'primary', name: 'old', descriptors: null, certain: true }],
      });
    };
    expect(result(12, 3)).toContain('Result: 1 wallet, 15 addresses with a balance, 134 keys');
    expect(result(0, 1)).toContain('Result: 1 wallet, 1 address with a balance, 134 keys');
    expect(result(0, 0)).toContain('Result: 1 wallet, 134 keys');
  });

  it('knows no balance in another coin, nor of a rescue with sealed descriptors or no transaction left', () => {
    const sample = sampleInspection();
    const contents = { ...sample, transactions: { ...sample.transactions, total: 2 } };
    const facts = { file: null, path: null, sha256: null, contents };
    const balance = (rescue: Parameters<typeof sampleRescue>[0]) =>
      linesOf({ facts: { ...facts, rescue: sampleRescue(rescue) } }).match(/Last known balance +(.*)/);
    const missing = { ...sampleRescue().missing, keys: 4 };
    const saved = { ...sampleRescue().saved, transactions: 2 };
    const coin = { verdict: 'other', coins: ['Dash'], programs: [], evidence: [] } as const;
    const ofOther = { ...facts, contents: { ...contents, coin }, rescue: null };
    expect(linesOf({ facts: ofOther })).not.toContain('balance');
    expect(balance({ sealedDescriptors: 4 })?.[1]).toBe('Not known');
    expect(balance({ missing })?.[1]).toBe('Not known');
    expect(balance({ missing, saved })?.[1]).toMatch(/BTC/);
    expect(balance({})?.[1]).toMatch(/BTC/);
  });

  it('prints the resulting wallets and the folders of copies', () => {
    const text = linesOf({
      makes: [
        { part: 'primary', name: 'old', descriptors: 14, certain: true },
        { part: 'watchonly', name: 'old_watchonly', descriptors: null, certain: false },
      ],
      copies: [{ text: 'The app copies the file first.', folder: '/data/copies' }],
    });
    expect(text).toContain('“old” · Main wallet · 14 descriptors');
    expect(text).toContain('“old_watchonly” · Watch-only wallet · perhaps · loads at each start');
    expect(text).toContain('  The app copies the file first.\n    /data/copies');
  });

  it('shows the calls on request', () => {
    const calls: Plan['calls'] = [
      { method: 'loadwallet', params: ['old'], wallet: null, when: 'If it is not loaded.' },
      {
        method: 'migratewallet',
        params: { wallet_name: 'old', passphrase: '•••' },
        wallet: null,
        when: null,
      },
      { method: 'walletlock', params: [], wallet: 'old', when: null },
    ];
    expect(linesOf({ calls })).not.toContain('migratewallet');
    expect(linesOf({ calls }, { calls: true })).toContain(`Calls
  loadwallet "old": If it is not loaded.
  migratewallet wallet_name="old" passphrase="•••"
  walletlock (“old”)`);
  });

  it('has a label for the unnamed wallet', () => {
    expect(linesOf({ wallet: '' })).toContain('Migrate this wallet: Unnamed wallet');
  });
});
