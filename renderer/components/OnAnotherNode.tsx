/** Says that a wallet is on another node than the one in use, so that nothing is done to a namesake. */
import type { Operation } from '../../shared/model.ts';
import { Notice } from './Notice.tsx';
import { SafeText } from './SafeText.tsx';

export function OnAnotherNode({ node: { label, address } }: { node: Operation['node'] }) {
  return (
    <Notice tone="read" title="This was done on another node">
      <p>
        The wallets are on{' '}
        <strong>
          <SafeText text={`${label} (${address.host}:${address.port})`} />
        </strong>
        . Connect to it to see their balances and to make backups of them.
      </p>
    </Notice>
  );
}
