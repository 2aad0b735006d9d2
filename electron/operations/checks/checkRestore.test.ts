import { describe, expect, it } from 'vitest';
import type { CheckId } from '../../../shared/safety.ts';
import { releaseOf } from '../../node/release.ts';
import type { RestoreFacts } from './checkFacts.ts';
import { checkRestore } from './checkRestore.ts';
import { inspectionOf, NOW, restoreFacts, statusOf, uncleanFile } from './testFacts.ts';

const file = (fields: Partial<NonNullable<RestoreFacts['file']>>) => {
  const { file: known } = restoreFacts();
  return { file: known && { ...known, ...fields } };
};
const legacy = {
  ...file({ kind: 'legacy-wallet', description: 'legacy wallet (Berkeley DB)', network: null }),
  looked: { state: 'seen', inspection: inspectionOf() },
} as const;
const old = statusOf({ release: releaseOf(290_300) });
const unclean = {
  ...legacy,
  looked: {
    state: 'seen',
    inspection: inspectionOf({ file: uncleanFile }),
  },
} as const;
const error = { code: 'file_missing', message: 'There is nothing at /x.', hint: 'Choose again.' } as const;

const cases: [CheckId, 'stop' | 'read', string, Partial<RestoreFacts>, string, Partial<RestoreFacts>][] = [
  ['backup-file', 'stop', 'a file that is gone', { file: null, fileError: error }, 'one that is there', {}],
  ['backup-file', 'stop', 'a picture', file({ kind: 'other', description: 'PNG picture' }), 'a wallet', {}],
  ['backup-file', 'read', 'a file on the node’s machine', { file: null }, 'one here', {}],
  ['backup-file', 'read', 'a file that is cut short', file({ truncated: true }), 'a whole one', {}],
  ['name', 'stop', 'a taken name', { name: 'w' }, 'a free one', { name: 'v' }],
  ['name', 'stop', 'a name that leads out', { name: '../w' }, 'a folder in a free place', { name: 'a/b' }],
  ['name', 'read', 'a space at the end', { name: 'new ' }, 'a space inside', { name: 'new one' }],
  ['name', 'read', 'a place inside another wallet', { name: 'w/inner' }, 'beside it', { name: 'w2/inner' }],
  [
    'release',
    'read',
    'a legacy backup on 29',
    { ...legacy, status: old },
    'a descriptor one',
    { status: old },
  ],
  ['release', 'read', 'a legacy backup on 31', legacy, 'a descriptor one', {}],
  [
    'network',
    'stop',
    'another network',
    {
      looked: {
        state: 'seen',
        inspection: inspectionOf({ network: { name: 'signet', from: 'file', candidates: ['signet'] } }),
      },
    },
    'the same',
    {},
  ],
  [
    'pruned',
    'stop',
    'a wallet older than what is kept',
    {
      status: statusOf({ pruned: true, pruneHeight: 899_995 }),
      chain: { lastBlock: { height: 1000, time: 1 }, pruneTime: NOW, now: NOW },
    },
    'one in step',
    { status: statusOf({ pruned: true, pruneHeight: 899_000 }) },
  ],
  [
    'space',
    'stop',
    'a full disk',
    { space: { size: 1e9, free: 1e8, freeForCopies: 1e12 } },
    'a free one',
    {},
  ],
  [
    'syncing',
    'read',
    'a node that syncs',
    { status: statusOf({ initialBlockDownload: true }) },
    'one in step',
    {},
  ],
  [
    'rescan',
    'read',
    'many blocks without filters',
    {
      status: statusOf({ blockFilters: 'off' }),
      chain: { lastBlock: { height: 1, time: 1 }, pruneTime: null, now: NOW },
    },
    'few',
    {},
  ],
  [
    'wallets-folder',
    'stop',
    'an unknown folder',
    { ...legacy, status: statusOf({ walletsFolder: null }) },
    'a proved one',
    legacy,
  ],
  ['not-closed', 'stop', 'an unclean legacy backup on 31', unclean, 'a clean one', legacy],
];

const of = (facts: Partial<RestoreFacts>, id: CheckId) =>
  checkRestore(restoreFacts(facts)).checks.find((each) => each.id === id);

describe('checkRestore', () => {
  it('is quiet about a backup with nothing wrong', () => {
    const { checks, way } = checkRestore(restoreFacts());
    expect(checks.filter(({ verdict }) => verdict !== 'fine')).toEqual([]);
    expect(way).toBe('restore');
  });

  it.each(cases)('%s: %s for %s', (id, verdict, _, facts) => {
    expect(of(facts, id)).toMatchObject({ verdict });
  });

  it.each(cases)('%s: quiet, unlike %s for %s, for %4$s', (id, _verdict, _loud, _facts, _quiet, facts) => {
    expect(of(facts, id)).toMatchObject({ verdict: 'fine', todo: [] });
  });

  it('turns into restore and migrate where the release cannot load a legacy backup', () => {
    expect(checkRestore(restoreFacts(legacy)).way).toBe('restore-migrate');
    expect(checkRestore(restoreFacts({ ...legacy, status: old })).way).toBe('restore');
    expect(checkRestore(restoreFacts(unclean)).way).toBe('none');
    // An unclean file is no matter for a release that opens it with Berkeley DB.
    expect(checkRestore(restoreFacts({ ...unclean, status: old })).way).toBe('restore');
  });
});
