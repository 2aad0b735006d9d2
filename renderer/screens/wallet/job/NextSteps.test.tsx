import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Job } from '../../../../shared/model/job.ts';
import { authorityOf, type Connection } from '../../../../shared/model/node.ts';
import type { Wallet } from '../../../../shared/model/wallet.ts';
import { type BackedUp, NO_BACKUPS, type WalletBackups } from '../../../../shared/model/walletBackups.ts';
import {
  migratedJob,
  sampleJob,
  sampleProof,
  sampleProvedWallet,
} from '../../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../../../shared/testing/sampleWallet.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { notSearchedText } from '../../../../shared/wording/journeyWords.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../../../state/testing/rendered.tsx';

installFakeFerry();
const { NextSteps, RescanEverything, Spend, WalletNext } = await import('./NextSteps.tsx');
const { isKept, KeepOld } = await import('./KeepOld.tsx');
const { useNewWallets } = await import('../../../state/backupsStore.ts');
const { useJobs } = await import('../../../state/jobsStore.ts');
const { useApp } = await import('../../../state/appStore.ts');
const { useWallets } = await import('../../../state/walletsStore.ts');

const SINCE = 1_795_180_497;
const job = migratedJob('w');
const { result } = job;
if (result?.kind !== 'migrate') throw new Error('The sample is no migration.');

/** The next steps of a migration with these facts of its new wallets. */
const stepsWith = (facts: object, of = job) => {
  const known = { wallets: [], left: [{}], savable: [], elsewhere: null, isBackedUp: false, ...facts };
  const newWallets = known as unknown as Parameters<typeof NextSteps>[0]['newWallets'];
  return rendered(<NextSteps job={of} result={result} newWallets={newWallets} />);
};

function markupOn(connection: Connection): string {
  startWith(useApp, { connection });
  return rendered(<RescanEverything node={sampleJob().node} wallet="w" missing={[notSearchedText(SINCE)]} />);
}

it('says since when the node looked for payments, and offers to look at all blocks, with the time', () => {
  const markup = markupOn({ state: 'connected', node: sampleNodeStatus({ blocks: 900_000 }) });
  expect(markup).toContain(`Not searched: payments before ${formatTime(SINCE)}.`);
  expect(markup).toMatch(/<button.*Rescan everything.*<\/button>/);
  // Each at 15 to 100 blocks in a second.
  expect(markup).toContain('Estimate: 3 h to 17 h.');
  const pruned = sampleNodeStatus({ blocks: 900_000, pruned: true, pruneHeight: 810_000 });
  expect(markupOn({ state: 'connected', node: pruned })).toContain('Estimate: 15 min to 2 h.');
});

it('speaks of new keys only where a new wallet has some', () => {
  const saysSo = (watches?: true) => {
    const proof = { ...sampleProof('same'), wallets: [sampleProvedWallet({ watches })] };
    return stepsWith({}, { ...job, proof }).includes('new keys');
  };
  expect([saysSo(), saysSo(true)]).toEqual([true, false]);
});

function spendingOf(wallet: Partial<Wallet>, offline = false): string {
  startWith(useApp, { connection: { state: 'connected', node: sampleNodeStatus({ offline }) } });
  startWith(useWallets, { wallets: [sampleWallet({ name: 'w', ...wallet })] });
  return rendered(<Spend node={{ ...sampleJob().node, offline }} names={['w']} />);
}

it('offers to export private keys only of a wallet that has some', () => {
  const tabsOf = (watchOnly: boolean) =>
    ['Bitcoin Core', 'Sparrow', 'Electrum'].filter((name) => spendingOf({ watchOnly }).includes(name));
  expect(tabsOf(false)).toEqual(['Bitcoin Core', 'Sparrow', 'Electrum']);
  expect(tabsOf(true)).toEqual(['Bitcoin Core']);
});

it('does not send a legacy wallet, such as that of an undo, to releases that cannot restore it', () => {
  expect(spendingOf({ kind: 'descriptor' }, true)).toContain('Restore Wallet');
  expect(spendingOf({ kind: 'legacy' }, true)).not.toContain('Restore Wallet');
});

it('counts no backup of a new wallet that another program encrypted since, and says how the old file opens', () => {
  const saved = { kind: 'descriptor', encrypted: false } as const;
  const proof = { seen: false, path: '/b.dat' } as const;
  const backup = sampleJob({
    kind: 'backup',
    wallet: 'w',
    state: 'done',
    result: { kind: 'backup', walletName: 'w', proof, saved },
  });
  function Left() {
    return useNewWallets([job]).left.map(({ name }) => <li key={name}>{name}</li>);
  }
  const { address, network, walletsFolder = null } = job.node;
  const inUse = sampleNodeStatus({ address, network, walletsFolder });
  const isLeft = (encrypted: boolean) => {
    startWith(useApp, { connection: { state: 'connected', node: inUse } });
    startWith(useJobs, { jobs: [backup, job] });
    startWith(useWallets, { wallets: [sampleWallet({ name: 'w', encrypted })] });
    return renderToStaticMarkup(<Left />).includes('<li>w</li>');
  };
  expect([isLeft(false), isLeft(true)]).toEqual([false, true]);
  const Steps = ({ id }: { id: string | null }) => {
    const of = { ...job, oldPassphraseId: id };
    return <NextSteps job={of} result={result} newWallets={useNewWallets([of])} />;
  };
  const oldPassphrase = (id: string | null, passphraseId: string) => {
    startWith(useWallets, { wallets: [sampleWallet({ name: 'w', encrypted: true, passphraseId })] });
    return /The backup [^.]*passphrase/.exec(rendered(<Steps id={id} />))?.[0];
  };
  expect([oldPassphrase('p', 'p'), oldPassphrase('p', 'q'), oldPassphrase(null, 'q')]).toEqual([
    undefined,
    'The backup needs its earlier passphrase',
    'The backup has no passphrase',
  ]);
});

it('ticks off seeing and spending once the node has all new wallets open, and leaves no empty ring before', () => {
  const tried = { queueState: null, backup: null, newBackup: null };
  const wallet = { title: null, meaning: null, node: job.node, here: true, ...tried };
  const wallets = ['w', 'w_watchonly'].map((name) => ({ ...wallet, id: name, name, proved: undefined }));
  const stepOf = (loaded: boolean, offline = false) => {
    startWith(useApp, { connection: { state: 'connected', node: sampleNodeStatus({ offline }) } });
    startWith(useWallets, {
      wallets: [sampleWallet({ name: 'w', loaded: true }), sampleWallet({ name: 'w_watchonly', loaded })],
    });
    const ended = { ...job, node: { ...job.node, offline } };
    const markup = stepsWith({ wallets, left: wallets, savable: wallets }, ended);
    return /<span[^>]*>(?:<svg.*?<\/svg>)?<\/span><div[^>]*><h2[^>]*>See and spend.*?<\/h2>/.exec(
      markup,
    )?.[0];
  };
  expect(stepOf(true)).toContain(': done');
  expect(stepOf(false)).toMatch(/^<span><\/span>/);
  // The engine is no program to spend with.
  expect(stepOf(true, true)).toMatch(/^<span><\/span>/);
});

it('asks for no backup of a wallet that a later job created again', () => {
  expect(stepsWith({ isBackedUp: false })).toContain('Save a backup');
  expect(stepsWith({ isBackedUp: null })).not.toContain('Save a backup');
});

it('leaves no empty ring at a backup that it cannot vouch for, and says why', () => {
  const stepOf = (isBackedUp: BackedUp) => stepsWith({ left: [], isBackedUp });
  expect(stepOf(true)).toMatch(/<svg.*?<\/svg><\/span><div[^>]*><h2[^>]*>Save a backup/);
  for (const isBackedUp of ['unseen', 'unchecked', 'unseen, unchecked'] as const)
    expect(stepOf(isBackedUp)).toMatch(/<span><\/span><div[^>]*><h2[^>]*>Save a backup/);
  expect(stepOf('unchecked')).toContain('Keys not compared.');
  expect(stepOf('unseen, unchecked')).toContain('Keys not compared.');
  expect(stepOf('unseen')).not.toContain('Keys not compared.');
});

/** What can be done with a wallet of the node. */
const nextOf = (backups: WalletBackups) => {
  const page = { wallet: sampleWallet(), node: sampleNodeStatus(), backups };
  return rendered(<WalletNext page={page as unknown as Parameters<typeof WalletNext>[0]['page']} />);
};

it('offers nothing that needs the node while it is gone', () => {
  const node = sampleNodeStatus();
  const error = { code: 'cannot_connect', message: '', hint: '' } as const;
  const blockedOn = (connection: Connection) => {
    startWith(useApp, { connection });
    const buttons = nextOf(NO_BACKUPS).match(/<button(?=[^>]*mantine-Button).*?<\/button>/gs) ?? [];
    return buttons.map((button) => [button.replace(/<[^>]*>/g, ''), button.includes('aria-disabled="true"')]);
  };
  const offered = [['Save a backup…'], ['Load']];
  expect(blockedOn({ state: 'connected', node })).toEqual(offered.map(([name]) => [name, false]));
  expect(blockedOn({ state: 'lost', node, error, since: 1 })).toEqual(offered.map(([name]) => [name, true]));
});

it('says of a wallet whose backup has perhaps not all keys that they were not compared', () => {
  const lastFinished = sampleJob({ kind: 'backup', state: 'done', result: null });
  const cardOf = (unchecked: boolean) =>
    nextOf({ ...NO_BACKUPS, lastFinished, lastTried: lastFinished, unchecked });
  expect(cardOf(true)).toMatch(/Last backup: [^<]*\. Keys not compared\./);
  expect(cardOf(false)).not.toContain('Keys not compared');
  const lossy = { ...NO_BACKUPS, lastFinished, lastTried: lastFinished, hasFewerKeys: true };
  expect(nextOf(lossy)).toMatch(/data-variant="filled".*Save a backup…/);
  expect(nextOf(lossy)).not.toContain('Backed up');
  expect(nextOf({ ...lossy, hasFewerKeys: false })).not.toContain('data-variant="filled"');
});

it('leads back to the engine that has the new wallets, by their folder', () => {
  const markupIn = (offline: boolean) => {
    startWith(useApp, { connection: { state: 'connected', node: sampleNodeStatus() } });
    const node = { ...job.node, offline, label: 'Without a node', walletsFolder: '/ferry/offline/wallets' };
    return stepsWith({ elsewhere: { node } }, { ...job, node });
  };
  expect(markupIn(true)).toContain('/ferry/offline/wallets');
  expect(markupIn(true)).toMatch(/<button.*Work without a node<\/span>/);
  expect(markupIn(true)).not.toContain('Connect to');
  expect(markupIn(false)).toContain(`Connect to Without a node (${authorityOf(job.node.address)}).`);
  expect(markupIn(false)).not.toMatch(/<button.*Work without a node<\/span>/);
});

it('offers it on no other node', () => {
  const other = sampleNodeStatus({ address: { host: '127.0.0.1', port: 18_332, tls: false } });
  const markup = markupOn({ state: 'connected', node: other });
  expect(markup).toContain('Not searched: payments before');
  expect(markup).not.toContain('<button');
});

it('ticks off keeping the old file once the app has seen a whole copy of it', () => {
  const seen = { ...result, backupSeen: true };
  const unseen = { ...result, backupSeen: null, backupPath: '/on/the/node.bak' };
  const copyOf = (state: 'whole' | 'damaged') =>
    ({
      files: [{ path: '/c.dat', source: null, size: 1, sha256: 'ab', state }],
    }) as unknown as Job['safetyCopy'];
  expect(isKept({ safetyCopy: null }, seen)).toBe(true);
  expect(isKept({ safetyCopy: null }, unseen)).toBe(false);
  expect(isKept({ safetyCopy: copyOf('whole') }, unseen)).toBe(true);
  expect(isKept({ safetyCopy: copyOf('damaged') }, unseen)).toBe(false);
  for (const lost of [{ backupSeen: false }, { backupPath: null }])
    expect(isKept({ safetyCopy: copyOf('whole') }, { ...unseen, ...lost })).toBe(false);
  const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
  expect(isKept(job, { ...restored, backupFile: '/b.dat', backupSeen: true })).toBe(true);
  expect(isKept(job, { ...restored, backupFile: '/on/the/node.dat' })).toBe(false);
  expect(isKept(job, { ...restored, backupFile: '/b.dat', backupAfter: 'changed' })).toBe(false);
});

it('names the file to keep as the steps do, and the copy that the node got as a copy', () => {
  const result = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
  const namesOf = (job: Partial<Job>, backupFile?: string) => {
    const restored = { ...result, ...(backupFile !== undefined && { backupFile }) };
    const given = sampleJob({ kind: 'restore', state: 'done', result: restored, ...job });
    const markup = rendered(<KeepOld job={given} result={restored} />);
    return markup.replace(/\s*<(style|button).*?<\/\1>\s*/gs, '').replace(/(<[^>]*>)+/g, '|');
  };
  const own = { path: '/copies/w.dat', source: '/cd/w.dat', sha256: 'ab', size: 1, state: 'whole' };
  const safetyCopy = { files: [own] } as unknown as Job['safetyCopy'];
  expect(namesOf({ safetyCopy: null }, '/w.dat')).toBe('|Your file|/w.dat|');
  expect(namesOf({ safetyCopy }, '/copies/w.dat')).toBe('|Your file|/cd/w.dat|Safety copy|/copies/w.dat|');
  expect(namesOf({ safetyCopy: null, action: 'undo' }, '/w.bak')).toBe('|Backup|/w.bak|');
  expect(namesOf({ safetyCopy: null })).toBe('|Keep your file.|');
  expect(namesOf({ safetyCopy: null, action: 'put-back' })).toBe('|Keep the backup.|');
});
