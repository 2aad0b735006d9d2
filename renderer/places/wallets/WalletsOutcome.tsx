/** What the node said to loading or unloading a wallet, beside that wallet until it is dismissed. */
import { Button } from '@mantine/core';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { useNode } from '../../state/appStore.ts';
import { useWallets, type WalletOutcome } from '../../state/walletsStore.ts';
import styles from './Wallets.module.css';

export function WalletsOutcome({ name, outcome }: { name: string; outcome: WalletOutcome }) {
  const dismiss = useWallets((state) => state.dismissOutcome);
  const offline = useNode()?.offline ?? false;
  return (
    <div className={styles.outcome}>
      {'error' in outcome ? (
        <ErrorNotice
          error={outcome.error}
          title={
            outcome.change === 'load' ? say('The wallet was not loaded') : say('The wallet was not unloaded')
          }
        />
      ) : (
        <NodeWarnings warnings={outcome.warnings} offline={offline} />
      )}
      <Button size="compact-sm" variant="subtle" onClick={() => dismiss(name)}>
        {say('Hide')}
      </Button>
    </div>
  );
}
