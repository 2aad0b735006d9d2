/** The wallets that came of migrations, a line each, and their new backups: all of them into one folder. */
import { Button } from '@mantine/core';
import { useId } from 'react';
import type { Job } from '../../../../shared/model/job.ts';
import { ownPart, wholeOf } from '../../../../shared/model/money.ts';
import { sameNode } from '../../../../shared/model/node.ts';
import { partRemarks, walletBalance } from '../../../../shared/wording/balanceWords.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import { migratedWallets } from '../../../../shared/wording/migratedWallets.ts';
import { resultCount } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import layout from '../../../components/layout.module.css';
import { PagedList } from '../../../components/list/PagedList.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Section } from '../../../components/Section.tsx';
import { Quiet, SafeText, Say, WalletName } from '../../../components/text/texts.tsx';
import { go, useNode } from '../../../state/appStore.ts';
import { standingOf, useBackups } from '../../../state/backupsStore.ts';
import { useJobs } from '../../../state/jobsStore.ts';
import { useWallets } from '../../../state/walletsStore.ts';
import { SaveBackups } from '../SaveBackups.tsx';
import { newestBackup } from '../walletBackups.ts';
import { BackupLine, type Standing } from './BackupFile.tsx';

interface NewWalletsProps {
  /** Migrations that are done. */
  migrations: readonly Job[];
}

export function NewWallets({ migrations }: NewWalletsProps) {
  const inUse = useNode();
  const jobs = useJobs((state) => state.jobs);
  const standings = useBackups();
  const wallets = migrations.flatMap(walletsOf).map((wallet) => {
    const { address } = wallet.node;
    return {
      ...wallet,
      /** Another node may have a wallet of the same name: what is done is not done to that. */
      here: inUse !== null && sameNode(inUse.address, address),
      standing: standingOf(standings, { node: address, wallet: wallet.name }),
      backup: newestBackup(jobs, wallet.name, wallet.since, address),
    };
  });
  const left = wallets.filter(({ backup, standing }) => backup?.state !== 'done' || standing !== null);
  const savable = left.filter(
    ({ here, backup, standing }) => here && standing?.state !== 'queued' && backup?.state !== 'running',
  );
  const made = wallets.length - left.length;
  const elsewhere = wallets.find(({ here }) => !here);
  return (
    <Section title={resultCount(wallets.length)}>
      <PagedList
        look="boxed"
        label={say('New wallets')}
        // What failed is not to lie behind the first page.
        items={wallets.toSorted((one, other) => Number(hasFailed(other)) - Number(hasFailed(one)))}
        keyOf={({ id }) => id}
        row={(wallet) => <WalletRow {...wallet} />}
        page={10}
      />
      {elsewhere && left.length > 0 && (
        <Notice tone="read" title={say('On another node')}>
          <p>
            <Say
              text="Connect to {node} to back them up."
              values={{
                node: (
                  <strong>
                    <SafeText text={nodeText(elsewhere.node)} />
                  </strong>
                ),
              }}
            />
          </p>
        </Notice>
      )}
      {left.length > 0 && <Quiet>{say('Your old backups don’t contain the new keys.')}</Quiet>}
      <div className={layout.row}>
        {inUse && savable.length > 0 && (
          <SaveBackups
            wallets={savable.map(({ name }) => name)}
            node={inUse.address}
            label={say('Save new backups…')}
          />
        )}
        {left.length > 0 && (
          <Button variant="default" onClick={() => go({ at: 'wallets' })}>
            {say('Back up later')}
          </Button>
        )}
        <span role="status" className={`${layout.dim} ${layout.numbers}`}>
          {say('{made, number} of {all, number} backed up', { made, all: wallets.length })}
        </span>
      </div>
    </Section>
  );
}

type NewWallet = ReturnType<typeof walletsOf>[number];

function walletsOf({ id, result, wallet, node, proof, started, ended }: Job) {
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

function hasFailed({ backup, standing }: Pick<WalletRowProps, 'backup' | 'standing'>): boolean {
  return standing?.state === 'refused' || backup?.state === 'failed' || backup?.state === 'unknown';
}

interface WalletRowProps extends NewWallet {
  here: boolean;
  standing: Standing;
  backup: Job | null;
}

function WalletRow({ standing, backup, name, title, meaning, node, here, proved }: WalletRowProps) {
  const nameId = useId();
  const known = useWallets(({ wallets }) => (here ? wallets?.find((one) => one.name === name) : undefined));
  const whole = known?.balance ? wholeOf(known.balance) : (proved?.balance ?? null);
  // What another of these wallets has too is counted there, so that their sum is the balance.
  const balance = whole && ownPart({ balance: whole, twice: proved?.twice ?? 0n });
  const asInFile = node.offline || known?.fromFile === true;
  return (
    <div className={layout.stack}>
      <div className={layout.pair}>
        <span>
          <span id={nameId} className={layout.name}>
            <WalletName name={name} />
          </span>{' '}
          <span className={layout.small}>{title}</span>
        </span>
        <span className={layout.numbers}>{walletBalance(balance, node.network, asInFile)}</span>
      </div>
      {proved && partRemarks(proved, node.network).map((text) => <Quiet key={text}>{text}</Quiet>)}
      <Disclosure look="quiet" summary={say('Contents')}>
        <p>{meaning}</p>
        {proved && <p>{contentsOf(proved)}</p>}
      </Disclosure>
      <BackupLine standing={standing} backup={backup} />
      {hasFailed({ backup, standing }) && here && standing?.state !== 'queued' && (
        <SaveBackups
          variant="default"
          size="compact-sm"
          wallets={[name]}
          node={node.address}
          label={say('Choose another folder…')}
          describedBy={nameId}
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

function nodeText({ label, address: { host, port } }: Job['node']): string {
  return `${label} (${host}:${port})`;
}
