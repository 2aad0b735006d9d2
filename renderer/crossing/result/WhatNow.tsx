/** What to do after a crossing: how to see and spend the coins, what to keep. */
import type { Crossing, CrossingResult } from '../../../shared/crossing.ts';
import { say } from '../../../shared/text/say.ts';
import { walletLabel } from '../../../shared/words/walletLabel.ts';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { FactList } from '../../elements/list/FactList.tsx';
import { Section } from '../../elements/Section.tsx';
import { Say, WalletName } from '../../elements/text/texts.tsx';
import { go, useIsNodeInUse } from '../../state/appStore.ts';
import { PathLine } from '../PathLine.tsx';

type Restored = Extract<CrossingResult, { kind: 'restore' }>;

/** After a restore, be it of an undone migration. */
export function AfterRestore({ crossing, result }: { crossing: Crossing; result: Restored }) {
  const { walletKind, walletName, backupFile, undone } = result;
  return (
    <Section title={say('What now')}>
      <FactList
        facts={[
          walletKind === 'legacy' && undone === undefined
            ? { label: say('Next'), value: say('Migrate it: releases from 30 on cannot load it.') }
            : walletKind === 'descriptor' && {
                label: say('See and spend'),
                value: <Spend node={crossing.node} names={[walletName]} />,
              },
          undone !== undefined &&
            undone.length > 0 && {
              label: say('Set aside'),
              value: undone.map(({ name, newName }) => (
                <p key={name}>
                  <Say
                    text="{before} is now {now}."
                    values={{ before: <WalletName name={name} />, now: <WalletName name={newName} /> }}
                  />
                </p>
              )),
            },
          {
            label: say('Keep'),
            value:
              backupFile === undefined ? (
                say('The backup.')
              ) : (
                <PathLine label={say('The backup')} path={backupFile} here={false} />
              ),
          },
        ]}
      />
    </Section>
  );
}

/** After a new backup. */
export function AfterBackup() {
  return (
    <Section title={say('What now')}>
      <FactList facts={[{ label: say('Keep'), value: say('A second copy in another place.') }]} />
    </Section>
  );
}

/** Where the coins of these wallets can be seen and spent. */
export function Spend({ node, names }: { node: Crossing['node']; names: readonly string[] }) {
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

/** After several migrations. */
export function AfterMigrations({ migrations }: { migrations: readonly Crossing[] }) {
  const [first] = migrations;
  if (first === undefined) return null;
  return (
    <Section title={say('What now')}>
      <FactList
        facts={[
          { label: say('See and spend'), value: <Spend node={first.node} names={[]} /> },
          { label: say('Keep'), value: say('The backups that each wallet’s result shows.') },
        ]}
      />
    </Section>
  );
}
