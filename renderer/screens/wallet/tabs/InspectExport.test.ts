import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import { sampleInspection, samplePreview } from '../../../../shared/testing/sampleInspection.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { exportable, exportFileName, needsPassphrase } = await import('./InspectExport.tsx');

const preview = samplePreview({
  primary: { descriptors: 11, seed: 'kept' },
  watchOnly: { descriptors: 7 },
});
const keys: Inspection['keys'] = { ...sampleInspection().keys, plain: 3 };

describe('exportable', () => {
  it('takes a descriptor wallet as it is', () => {
    const descriptors = { total: 8, shown: [] };
    const found = exportable(sampleInspection({ kind: 'descriptor', migration: null, descriptors, keys }));
    expect(found).toMatchObject({ can: true, parts: [{ part: undefined, hasPrivate: true }] });
  });

  it('offers each wallet that would come of a legacy one, private keys only of the main one', () => {
    const found = exportable(sampleInspection({ migration: preview, keys }));
    expect(found).toMatchObject({
      can: true,
      parts: [
        { part: 'primary', hasPrivate: true },
        { part: 'watchonly', suffix: '_watchonly', hasPrivate: false },
      ],
    });
  });

  it('refuses what could not be complete, and says why', () => {
    const noKeys = { ...keys, plain: 0, encrypted: 0 };
    const why = (change: Partial<Inspection>) => {
      const found = exportable(sampleInspection({ migration: preview, keys: noKeys, ...change }));
      return found.can ? null : found.why;
    };
    expect(why({ problems: [{ page: 3, finding: { code: 'file_changed' }, lost: true }] })).toContain(
      'complete',
    );
    expect(why({ migration: { ...preview, hazards: ['no-seed'] } })).toContain('migration');
    expect(why({ migration: { ...preview, unownedTransactions: { total: 1, shown: ['aa'] } } })).toContain(
      'migration',
    );
    expect(why({ network: { name: 'unknown', from: 'nothing', candidates: [] } })).toContain('network');
    expect(why({ migration: { ...preview, primary: null, watchOnly: null } })).toContain('No descriptors');
  });

  it('offers the private keys of a wallet that no node would migrate', () => {
    const migration = { ...preview, hazards: ['no-seed'] as const };
    expect(exportable(sampleInspection({ migration, keys }))).toEqual({
      can: true,
      parts: [],
      hasKeys: true,
    });
  });
});

describe('needsPassphrase', () => {
  it('asks for it where keys are decrypted: private ones, and any rehearsal', () => {
    const encryption = { masterKeys: 1, iterations: 25_000, secondsPerTry: null };
    expect(needsPassphrase({ kind: 'descriptor', encryption }, false)).toBe(false);
    expect(needsPassphrase({ kind: 'descriptor', encryption }, true)).toBe(true);
    expect(needsPassphrase({ kind: 'legacy', encryption }, false)).toBe(true);
    expect(needsPassphrase({ kind: 'legacy', encryption: null }, true)).toBe(false);
  });
});

describe('exportFileName', () => {
  it('tells a private file by its name, and takes no character that a file system refuses', () => {
    const named = (wallet: string, withPrivate = false) =>
      exportFileName(wallet, { suffix: '', format: 'importdescriptors', withPrivate });
    expect(named('savings')).toBe('savings-descriptors.json');
    expect(named('savings', true)).toBe('savings-private-descriptors.json');
    expect(named('../a/b:c')).toBe('a-b-c-descriptors.json');
    expect(named('')).toBe('wallet-descriptors.json');
    expect(exportFileName('savings', { suffix: '', format: 'wif', withPrivate: true })).toBe(
      'savings-private-keys.txt',
    );
    expect(named('ä'.repeat(300)).length).toBeLessThan(80);
    expect(exportFileName('savings', { suffix: '_watchonly', format: 'lines', withPrivate: false })).toBe(
      'savings_watchonly-descriptors.txt',
    );
  });
});
