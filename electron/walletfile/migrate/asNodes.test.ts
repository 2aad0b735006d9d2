import { describe, expect, it } from 'vitest';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { foreignAreHere, foreignNote, reportedWallet } from '../testing/foreignWallets.ts';
import { showWallet } from '../testing/newWallet.ts';
import { migrateWallet } from './migrateWallet.ts';

const options = { network: 'regtest', name: 'w', now: 1_795_200_000, keypoolSize: 2 } as const;

describe('a migration without a node', () => {
  it.each(['key-form', 'key-misfit', 'flags-descriptor', 'flags-signer', 'flags-no-keys'] as const)(
    'refuses what ends a node or is refused by it: %s',
    async (code) => {
      const { bytes } = await conditionFiles[code]();
      await expect(migrateWallet({ ...options, bytes })).rejects.toMatchObject({ code: 'wallet_error' });
    },
  );

  it.runIf(foreignAreHere)(`keeps every key whose metadata names no chain’s path${foreignNote}`, async () => {
    const bytes = reportedWallet('legacy-odd-paths');
    const { primary, watchonly, solvables } = await migrateWallet({ ...options, bytes });
    expect([watchonly, solvables]).toEqual([null, null]);
    expect((await showWallet(primary?.bytes ?? new Uint8Array())).descriptors).toHaveLength(11);
  });
});
