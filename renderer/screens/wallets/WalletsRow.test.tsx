import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../../shared/testing/sampleWallet.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { WalletsActions } = await import('./WalletsRow.tsx');

const markupOf = (interruption: Wallet['interruption']) =>
  renderToStaticMarkup(
    <MantineProvider>
      <WalletsActions
        wallet={sampleWallet({ kind: 'interrupted', ...(interruption ? { interruption } : {}) })}
        node={sampleNodeStatus()}
        needsBackup={false}
        isChanging={false}
        blocked={false}
        nameId="name"
      />
    </MantineProvider>,
  );

describe('an incomplete wallet in the list', () => {
  it('has a button only if it can be restored', () => {
    expect(markupOf({ copies: 1 })).toContain('Put it back');
    expect(markupOf({ copies: 0 })).not.toContain('Put it back');
    expect(markupOf({ copies: 1, restoredAs: 'w' })).not.toContain('Put it back');
    // Its file is out of reach.
    expect(markupOf(undefined)).not.toContain('Put it back');
    expect(markupOf({ copies: 0 })).not.toContain('Load');
  });
});
