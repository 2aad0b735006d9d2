/** The wallets that came of migrations, a line each, and their new backups: all of them into one folder. */
import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Crossing } from '../../../shared/crossing.ts';
import { type NodeStatus, sameNode } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { walletBalance } from '../../../shared/words/balanceWords.ts';
import { counted } from '../../../shared/words/format/counted.ts';
import { listed } from '../../../shared/words/format/listed.ts';
import { migratedWallets } from '../../../shared/words/migratedWallets.ts';
import { resultCount } from '../../../shared/words/planWords.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { joinPath, suggestedBackups } from '../../elements/file/fileNames.ts';
import { useFilePicker } from '../../elements/file/useFilePicker.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { List } from '../../elements/list/List.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Section } from '../../elements/Section.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { WalletName } from '../../elements/text/WalletName.tsx';
import { go, useApp, useNode } from '../../state/appStore.ts';
import { standingOf, useBackups } from '../../state/backupsStore.ts';
import { useCrossings } from '../../state/crossingsStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { BackupLine } from './BackupFile.tsx';
import styles from './NewWallets.module.css';
import { newestBackup } from './newestBackup.ts';

interface NewWalletsProps {
  /** Migrations that are done. */
  migrations: readonly Crossing[];
}

export function NewWallets({ migrations }: NewWalletsProps) {
  const inUse = useNode();
  const crossings = useCrossings((state) => state.crossings);
  const standings = useBackups();
  const wallets = migrations.flatMap(walletsOf).map((wallet) => {
    const { address } = wallet.node;
    return {
      ...wallet,
      /** Another node may have a wallet of the same name: what is done is not done to that. */
      here: inUse !== null && sameNode(inUse.address, address),
      standing: standingOf(standings, { node: address, wallet: wallet.name }),
      backup: newestBackup(crossings, wallet.name, wallet.since, address),
    };
  });
  const left = wallets.filter(({ backup, standing }) => backup?.state !== 'done' || standing !== null);
  const savable = left.filter(({ here, backup, standing }) => here && !isUnderWay(backup, standing));
  const made = wallets.length - left.length;
  const elsewhere = wallets.find(({ here }) => !here);
  return (
    <Section title={resultCount(wallets.length)}>
      <List look="boxed" roomy label={say('New wallets')}>
        {wallets.map((wallet) => (
          <li key={wallet.id}>
            <WalletRow {...wallet} inUse={inUse} />
          </li>
        ))}
      </List>
      {elsewhere && left.length > 0 && <OnAnotherNode node={elsewhere.node} />}
      {left.length > 0 && <Quiet>{say('Old backups miss what the new wallets receive.')}</Quiet>}
      <div className={`${layout.row} ${styles.foot}`}>
        {savable.length > 0 && (
          <SaveTo
            local={inUse?.local ?? true}
            label={say('Save new backups…')}
            onFolder={(folder) => saveTo(folder, savable, inUse)}
          />
        )}
        {left.length > 0 && (
          <Button variant="default" onClick={() => go({ at: 'wallets' })}>
            {say('Back up later')}
          </Button>
        )}
        <span role="status" className={`${layout.dim} ${layout.numbers} ${styles.count}`}>
          {say('{made, number} of {all, number} backed up', { made, all: wallets.length })}
        </span>
      </div>
    </Section>
  );
}

type NewWallet = ReturnType<typeof walletsOf>[number];

function walletsOf({ id, result, wallet, node, proof, started, ended }: Crossing) {
  if (result?.kind !== 'migrate') return [];
  return migratedWallets(result, wallet).map(({ name, title, meaning }) => ({
    id: `${id} ${name}`,
    ...{ name, title, meaning, node },
    /** Backups that were begun before it was there do not count. */
    since: ended ?? started,
    /** What was read in it when the migration was proved. */
    proved: proof?.wallets.find((one) => one.name === name),
  }));
}

function isUnderWay(backup: Crossing | null, standing: Standing): boolean {
  return standing?.state === 'queued' || backup?.state === 'running';
}

type Standing = ReturnType<typeof standingOf>;

function saveTo(
  folder: string,
  wallets: readonly Pick<NewWallet, 'name' | 'node'>[],
  inUse: Pick<NodeStatus, 'local'> | null,
): void {
  const platform =
    (inUse?.local ?? true)
      ? (useApp.getState().info?.platform ?? 'other')
      : // A remote node's system is not known: its own way to write a path tells.
        /^[A-Za-z]:|^\\\\/.test(folder)
        ? 'win32'
        : 'other';
  const names = suggestedBackups(
    wallets.map(({ name }) => name),
    new Date(),
  );
  void useBackups.getState().save(
    wallets.map(({ name, node }, at) => ({
      node: node.address,
      wallet: name,
      destination: joinPath(folder, names[at] ?? '', platform),
    })),
  );
}

interface WalletRowProps extends NewWallet {
  here: boolean;
  inUse: NodeStatus | null;
  standing: Standing;
  backup: Crossing | null;
}

function WalletRow({ standing, backup, inUse, ...wallet }: WalletRowProps) {
  const { name, title, meaning, node, here, proved } = wallet;
  const nameId = useId();
  const known = useWallets(({ wallets }) => (here ? wallets?.find((one) => one.name === name) : undefined));
  const balance = known?.balance ?? proved?.balance ?? null;
  const asInFile = node.offline || known?.fromFile === true;
  const failed = standing?.state === 'refused' || backup?.state === 'failed' || backup?.state === 'unknown';
  return (
    <div className={layout.stack}>
      <div className={layout.pair}>
        <span id={nameId} className={layout.name}>
          <WalletName name={name} />
        </span>
        <span className={`${layout.small} ${styles.title}`}>{title}</span>
        <span className={layout.numbers}>{walletBalance(balance, node.network, asInFile)}</span>
      </div>
      <Disclosure look="quiet" summary={say('Contents')}>
        <p>{meaning}</p>
        {proved && <p>{contentsOf(proved)}</p>}
      </Disclosure>
      <BackupLine standing={standing} backup={backup} />
      {failed && here && standing?.state !== 'queued' && (
        <SaveTo
          small
          local={inUse?.local ?? true}
          label={say('Choose another folder…')}
          describedBy={nameId}
          onFolder={(folder) => saveTo(folder, [wallet], inUse)}
        />
      )}
    </div>
  );
}

/** `14 descriptors, 13 transactions, 2 labels`; what is not known is left out. */
function contentsOf({ descriptors, transactions, labels }: NonNullable<NewWallet['proved']>): string {
  return listed([
    descriptors !== null && counted.descriptors(descriptors),
    transactions !== null && counted.transactions(transactions),
    labels !== null && counted.labels(labels),
  ]);
}

interface SaveToProps {
  /** Whether the app sees the node's disk, so that the folder can be chosen there. */
  local: boolean;
  label: string;
  describedBy?: string;
  small?: boolean;
  onFolder: (folder: string) => void;
}

function SaveTo({ local, label, describedBy, small = false, onFolder }: SaveToProps) {
  const pick = useFilePicker();
  const [typed, setTyped] = useState('');
  const folder = typed.trim();

  async function choose() {
    const chosen = local ? await pick({ purpose: 'backups-folder' }) : folder;
    if (chosen !== null) onFolder(chosen);
  }

  return (
    <>
      {!local && (
        <TextInput
          className={styles.folder}
          label={say('Folder')}
          description={say('Full path on the node’s machine.')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div>
        <ActionButton
          {...(small ? { size: 'compact-sm', variant: 'default' } : {})}
          blocked={!local && folder === ''}
          onClick={() => void choose()}
          describedBy={describedBy}
        >
          {label}
        </ActionButton>
      </div>
    </>
  );
}

function OnAnotherNode({ node: { label, address } }: { node: Crossing['node'] }) {
  return (
    <Notice tone="read" title={say('On another node')}>
      <p>
        <Say
          text="Connect to {node} to back them up."
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
