import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Crossing } from '../../../shared/crossing.ts';
import { sampleCrossing } from '../../../shared/testing/sampleCrossing.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';

installFakeFerry();
const { CrossingOutcome } = await import('./CrossingOutcome.tsx');

const error = { code: 'cannot_connect', message: 'No node.', hint: 'Start it.' } as const;
const markupOf = (fields: Partial<Crossing>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <CrossingOutcome crossing={sampleCrossing({ kind: 'restore-migrate', error, ...fields })} />
    </MantineProvider>,
  );

describe('CrossingOutcome', () => {
  it('names a copy that is left in the node’s folder, with what to do, and does not call it taken away', () => {
    const leftCopy = { path: '/node/wallets/back/wallet.dat', text: 'Connect its disk.' };
    for (const state of ['failed', 'unknown'] as const) {
      const markup = markupOf({ state, leftCopy });
      expect(markup).toContain('A copy is left in the node’s wallets folder');
      expect(markup).toContain('back/wallet.dat');
      expect(markup).toContain('Connect its disk.');
      expect(markup).not.toContain('The placed copy is removed');
    }
    const gone = markupOf({ state: 'failed' });
    expect(gone).toContain('The placed copy is removed');
    expect(gone).not.toContain('A copy is left');
  });

  it('says that a backup was changed while the node restored it', () => {
    const result = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
    const restored = { kind: 'restore', state: 'done', error: null } as const;
    expect(markupOf({ ...restored, result: { ...result, backupAfter: 'changed' } })).toContain(
      'changed during the restore',
    );
    expect(markupOf({ ...restored, result })).not.toContain('during the restore');
  });
});
