/** Where the coins of these wallets can be seen and spent. */
import type { Job } from '../../../../shared/model/job.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/input/ActionButton.tsx';
import layout from '../../../components/layout.module.css';
import { Say, WalletName } from '../../../components/text/texts.tsx';
import { go, useIsNodeInUse } from '../../../state/appStore.ts';

export function Spend({ node, names }: { node: Job['node']; names: readonly string[] }) {
  const here = useIsNodeInUse(node.address);
  const [first = ''] = names;
  return (
    <div className={layout.stack}>
      <p>
        {node.offline ? (
          say('Bitcoin Core: File > Restore Wallet, with the new backup.')
        ) : names.length !== 1 ? (
          say('Bitcoin Core: File > Open Wallet.')
        ) : (
          <Say
            text="Bitcoin Core: File > Open Wallet > {wallet}."
            values={{ wallet: <WalletName name={first} /> }}
          />
        )}
      </p>
      <p>{say('Sparrow: import the descriptors.')}</p>
      {here && (
        <div className={layout.row}>
          {names.map((name) => (
            <SmallButton key={name} onClick={() => go({ at: 'inspect', source: { by: 'wallet', name } })}>
              {say('Export “{wallet}”…', { wallet: walletLabel(name) })}
            </SmallButton>
          ))}
        </div>
      )}
    </div>
  );
}
