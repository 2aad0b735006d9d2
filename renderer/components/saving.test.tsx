import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { endedJob, migratedJob, sampleJob, sampleProof } from '../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../shared/testing/sampleWallet.ts';
import { outcomeLines, outcomeSections, recordDetails } from '../../shared/wording/jobLines.ts';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';
import { startWith } from '../state/testing/rendered.tsx';

installFakeFerry();
const { PaperRecord } = await import('./saving.tsx');
const { useApp } = await import('../state/appStore.ts');
const { useJobs } = await import('../state/jobsStore.ts');
const { useWallets } = await import('../state/walletsStore.ts');

/** The words of the record on paper. */
function onPaper(job: Parameters<typeof PaperRecord>[0]['job']): string {
  const sections = [...outcomeSections(job, []), recordDetails(job)];
  const markup = renderToStaticMarkup(<PaperRecord job={job} wallet={job.wallet} sections={sections} />);
  return markup
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u202f', '\u2009')
    .replace(/\s+/g, ' ');
}

it('says on paper what the text says', () => {
  const files = [{ path: '/copies/w.dat', source: null, size: 1, sha256: 'ab'.repeat(32) }];
  const copy = { id: 'c', wallet: 'w', made: 1, how: 'copied', note: null, files } as const;
  const job = migratedJob('w', {
    proof: { ...sampleProof('different'), keys: 3 },
    safetyCopy: { ...copy, files, node: { label: 'node', network: 'main' } },
    warnings: ['Old release.'],
  });
  const [, ...lines] = outcomeLines(job);
  const words = lines.join('  ').split(/\s{2,}/);
  expect(words.length).toBeGreaterThan(20);
  for (const word of words) expect(onPaper(job)).toContain(word.trim());
  expect(onPaper(job)).toMatch(/ Copy \/copies\/w\.dat SHA-256 (?:ab){32} /);
  expect(onPaper(job)).toContain('Missing: 1 address Keep all backups.');
  expect(onPaper(job)).toContain('Node warnings Old release.');
});

it('prints no hidden character', () => {
  expect(onPaper(migratedJob('w\u202e'))).toContain('w⟨U+202E⟩');
});

it('says on paper whether the new backup has the keys that the wallet has now', () => {
  const saved = { kind: 'descriptor', encrypted: false, keysId: 'ab', keySources: 1 } as const;
  const proof = { seen: true, path: '/b.dat', size: 1, sha256: 'ab' } as const;
  const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
  const job = endedJob('restore', 'w', { result: restored, proof: sampleProof('same') });
  const result = { kind: 'backup', walletName: 'w', proof, saved } as const;
  const { address, network, walletsFolder = null } = job.node;
  const node = sampleNodeStatus({ address, network, walletsFolder });
  startWith(useApp, { connection: { state: 'connected', node } });
  startWith(useJobs, { jobs: [sampleJob({ kind: 'backup', wallet: 'w', state: 'done', result }), job] });
  const verdictNow = (keys: object) => {
    startWith(useWallets, { wallets: [sampleWallet({ name: 'w', kind: 'descriptor', ...keys })] });
    return onPaper(job);
  };
  expect(verdictNow({ keysId: 'ab', keySources: 1 })).toContain('Safe and backed up.');
  expect(verdictNow({})).toContain('Keys not compared.');
  expect(verdictNow({ pending: true })).not.toMatch(/Safe|Keys not compared/);
  startWith(useWallets, { wallets: null });
  expect(onPaper(job)).toContain('Backed up.');
  expect(onPaper(job)).not.toMatch(/Safe|Keys not compared/);
});

it('isolates each name and path that is written from right to left, and no sentence', () => {
  const result = { kind: 'restore', walletName: 'שלום', walletKind: 'legacy', balance: null } as const;
  const movedWallets = [{ name: 'שלום', newName: 'שלום (2)', path: '/בית/שלום (2)' }];
  const job = sampleJob({
    wallet: 'שלום',
    kind: 'restore',
    state: 'done',
    result: { ...result, movedWallets, backupFile: '/ש.dat' },
  });
  const words = onPaper(job);
  const isolated = [...words.matchAll(/\u2068([^\u2069]*)\u2069/g)].map(([, text]) => text);
  // The heading, the row of the wallet, the old and the new name, the path and the file.
  expect(isolated).toEqual(['שלום', 'שלום', 'שלום', 'שלום (2)', '/בית/שלום (2)', '/ש.dat']);
  expect(words.replace(/\u2068[^\u2069]*\u2069/g, '')).not.toMatch(/\p{Script=Hebrew}/u);
  expect(words).toContain('“\u2068שלום\u2069” → “\u2068שלום (2)\u2069”');
});
