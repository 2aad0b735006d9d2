/** Says that a wallet is on another node than the one in use, so that nothing is done to a namesake. */
import type { Operation } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';

export function OnAnotherNode({ node: { label, address } }: { node: Operation['node'] }) {
  return (
    <Notice tone="read" title={say('This was done on another node')}>
      <p>
        <Say
          text="The wallets are on {node}. Connect to it to see their balances and to make backups of them."
          values={{
            node: (
              <strong>
                <SafeText text={`${label} (${address.host}:${address.port})`} />
              </strong>
            ),
          }}
        />
      </p>
    </Notice>
  );
}
