/** What a migration gave: the wallets that came of it, and where the backup of the legacy wallet lies. */
import type { MigrationResult, Operation } from '../../../shared/operation.ts';
import type { Proof } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { WalletName } from '../../elements/text/WalletName.tsx';
import { useIsNodeInUse } from '../../state/appStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { contentsLine } from '../../words/contentsLine.ts';
import { migratedWallets } from '../../words/migratedWallets.ts';
import { walletBalance } from '../../words/walletBalance.ts';
import { PathLine } from '../PathLine.tsx';
import { WalletCards } from '../WalletCards.tsx';
import { LeftUnloaded } from './LeftUnloaded.tsx';

interface MigrateResultProps {
  operation: Operation;
  result: MigrationResult;
}

type ProofPart = Proof['wallets'][number];

export function MigrateResult({ operation, result }: MigrateResultProps) {
  const wallets = migratedWallets(result, operation.wallet);
  const here = useIsNodeInUse(operation.node.address);
  const { offline } = operation.node;
  return (
    <>
      {result.leftUnloaded && <LeftUnloaded names={wallets.map(({ name }) => name)} here={here} />}
      <p>
        {wallets.length === 1
          ? say('One wallet came of it:')
          : say('{count, number} wallets came of it. Together they hold what the legacy wallet held:', {
              count: wallets.length,
            })}
      </p>
      <WalletCards
        label={say('Wallets that came of the migration')}
        wallets={wallets.map(({ name, title, meaning }) => ({
          key: name,
          name: <WalletName name={name} />,
          title,
          meaning,
          children: (
            <Contents
              name={name}
              node={operation.node}
              proved={operation.proof?.wallets.find((one) => one.name === name)}
            />
          ),
        }))}
      />
      <LegacyBackup result={result} />
      <NodeWarnings warnings={operation.warnings} offline={offline} />
    </>
  );
}

function Contents({
  name,
  node,
  proved,
}: {
  name: string;
  node: Operation['node'];
  /** What was read in it when the migration was proved. */
  proved: ProofPart | undefined;
}) {
  // Another node may have a wallet of the same name: its balance is not this one's.
  const here = useIsNodeInUse(node.address);
  const known = useWallets(({ wallets }) => wallets?.find((one) => one.name === name)?.balance ?? null);
  const balance = (here ? known : null) ?? proved?.balance ?? null;
  const contents = proved ? contentsLine(proved) : '';
  return (
    <>
      {contents !== '' && <p>{contents}</p>}
      <p>{say('Balance: {balance}', { balance: walletBalance(balance, node.network, node.offline) })}</p>
    </>
  );
}

function LegacyBackup({ result: { backupPath, backupSeen } }: Pick<MigrateResultProps, 'result'>) {
  if (backupPath === null) {
    return (
      <Notice tone="read" title={say('The path of the legacy wallet’s backup is not known')}>
        <p>
          {say(
            'The node’s answer was lost with the line. The node makes the backup before it changes anything: look for a file that ends in .legacy.bak in or beside the wallet’s folder.',
          )}
        </p>
      </Notice>
    );
  }
  return (
    <>
      <PathLine
        label={say('Backup of the legacy wallet')}
        path={backupPath}
        here={backupSeen === true}
        note={backupSeen === false ? null : KEEP_IT[backupSeen === true ? 'seen' : 'there']}
      />
      {backupSeen === false && (
        <Notice tone="read" title={say('The app does not find this file')}>
          <p>
            {say(
              'The node says that the backup is there. It may see other folders than this app does (a container, for example), or the file was moved. Look for it before you rely on it.',
            )}
          </p>
        </Notice>
      )}
    </>
  );
}

const KEEP_IT = {
  seen: say('The file is there. Keep it: with it the migration can be undone.'),
  there: say(
    'The file is on the node’s machine, where the app cannot see it. Keep it: with it the migration can be undone.',
  ),
} as const;
