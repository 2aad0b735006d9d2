import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { migratedJob, sampleJob, sampleProof } from '../../shared/testing/sampleJob.ts';
import { outcomeLines } from '../../shared/wording/jobLines.ts';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';

installFakeFerry();
const { PaperRecord } = await import('./saving.tsx');

/** The words of the record on paper. */
function onPaper(job: Parameters<typeof PaperRecord>[0]['job']): string {
  const markup = renderToStaticMarkup(<PaperRecord job={job} />);
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
  expect(onPaper(job)).toContain('Missing: 1 script Keep all backups.');
  expect(onPaper(job)).toContain('Node warnings Old release.');
});

it('prints no key and no hidden character, even if the node quotes some', () => {
  const key = 'cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW';
  const words = onPaper(migratedJob('w\u202e', { warnings: [`Found ${key}`] }));
  expect(words).toContain('Found [key]');
  expect(words).toContain('w⟨U+202E⟩');
});

it('isolates names and paths, and no sentence', () => {
  const result = { kind: 'restore', walletName: 'שלום', walletKind: 'legacy', balance: null } as const;
  const job = sampleJob({
    wallet: 'שלום',
    kind: 'restore',
    state: 'done',
    result: { ...result, backupFile: '/ש.dat' },
  });
  const markup = renderToStaticMarkup(<PaperRecord job={job} />);
  const isolated = [...markup.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, text]) => text);
  expect(isolated).toEqual(['שלום', '/ש.dat']);
});
