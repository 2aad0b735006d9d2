/** What the app found before the migration, what is in the wallet's file, and what will happen, step by step. */
import type { ReactNode } from 'react';
import type { NodeStatus } from '../../../../shared/node.ts';
import type { Check } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { Section } from '../../../elements/Section.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { foundBy } from '../../../state/look.ts';
import { CheckList } from '../../plan/CheckList.tsx';
import { MigrationPreviewList } from '../../plan/MigrationPreviewList.tsx';
import styles from './CheckStep.module.css';
import { CourseList } from './CourseList.tsx';
import { FileContents } from './FileContents.tsx';
import { SafeWayOffer } from './SafeWayOffer.tsx';
import type { CheckRun } from './useMigrationChecks.ts';
import { foundIn, type WalletFile } from './useWalletFile.ts';
import { isSafeWayOpen } from './whatBlocks.ts';

interface CheckStepProps {
  name: string;
  /** Null when the node's list has no such wallet. */
  wallet: Wallet | null;
  node: NodeStatus;
  run: CheckRun;
  file: WalletFile;
  /** Whether the safe way was chosen. */
  safely: boolean;
  onSafeWay: () => void;
  /** The rehearsal, where it needs no passphrase. */
  rehearsal: ReactNode;
}

export function CheckStep({ name, wallet, node, run, file, safely, onSafeWay, rehearsal }: CheckStepProps) {
  const { checking, lookAgain } = run;
  const found = foundBy(checking);
  const preview = foundIn(file)?.migration ?? null;
  return (
    <>
      <p>
        <Say text="Wallet: {wallet}" values={{ wallet: <WalletName name={name} /> }} />
      </p>
      <section className={styles.part} aria-label={say('Checks')}>
        <div className={styles.top}>
          <p role="status">{spoken(checking)}</p>
          <ActionButton
            size="compact-sm"
            variant="default"
            busy={checking.state === 'looking'}
            onClick={lookAgain}
          >
            {say('Look again')}
          </ActionButton>
        </div>
        {checking.state === 'failed' && (
          <ErrorNotice title={say('The checks could not be made')} error={checking.error} />
        )}
        {found && <CheckList checks={found.checks} />}
        {isSafeWayOpen(checking) && <SafeWayOffer chosen={safely} onChoose={onSafeWay} />}
      </section>
      {wallet && <FileContents file={file} loaded={wallet.loaded} />}
      {wallet && found !== null && found.way !== 'none' && (
        <>
          {preview && (
            <Section title={say('What would come of it')}>
              <MigrationPreviewList preview={preview} name={wallet.name} />
            </Section>
          )}
          <Section title={say('Step by step')}>
            <CourseList node={node} copies={found.copy.way !== 'cannot'} />
          </Section>
          {rehearsal}
        </>
      )}
    </>
  );
}

function spoken(checking: CheckRun['checking']): string {
  switch (checking.state) {
    case 'none':
    case 'failed':
      return '';
    case 'looking':
      return say('Looking at the wallet and the node…');
    case 'known': {
      const { checks } = checking.found;
      const stops = count(checks, 'stop');
      const reads = count(checks, 'read');
      if (stops > 0) {
        return say('{count, plural, one {# check stops this.} other {# checks stop this.}}', {
          count: stops,
        });
      }
      return reads > 0
        ? say(
            '{count, plural, one {Nothing stops this. # check to read.} other {Nothing stops this. # checks to read.}}',
            { count: reads },
          )
        : say('Nothing stops this.');
    }
  }
}

function count(checks: readonly Check[], verdict: Check['verdict']): number {
  return checks.filter((check) => check.verdict === verdict).length;
}
