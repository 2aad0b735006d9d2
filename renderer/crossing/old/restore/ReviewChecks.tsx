/** What was looked at before a restore, with the way to look again, and why it cannot be started where it cannot. */
import { VisuallyHidden } from '@mantine/core';
import type { NodeStatus } from '../../../../shared/node.ts';
import type { RestoreChecks } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { Section } from '../../../elements/Section.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Spoken } from '../../../elements/text/Spoken.tsx';
import { Waiting } from '../../../elements/Waiting.tsx';
import { foundBy } from '../../../state/look.ts';
import { CheckList } from '../../plan/CheckList.tsx';
import type { Hashing } from '../useFileHash.ts';
import styles from './ReviewChecks.module.css';
import type { RestoreWay } from './restoreWay.ts';
import type { RestoreCheckRun } from './useRestoreChecks.ts';
import { WorkHere } from './WorkHere.tsx';
import { whatBlocks } from './whatBlocks.ts';

interface ReviewChecksProps {
  checks: RestoreCheckRun;
  way: RestoreWay;
  node: NodeStatus;
  hashing: Hashing;
}

export function ReviewChecks({ checks: { checking, lookAgain }, way, node, hashing }: ReviewChecksProps) {
  const found = foundBy(checking);
  const busy = checking.state === 'looking';
  const blocks = busy ? null : whatBlocks(checking, way, hashing);
  return (
    <Section
      title={say('Checks')}
      aside={
        (found !== null || checking.state === 'failed') && (
          <ActionButton size="compact-sm" variant="default" busy={busy} onClick={lookAgain}>
            {say('Look again')}
          </ActionButton>
        )
      }
    >
      {checking.state === 'looking' && found === null && (
        <Waiting onCancel={checking.cancel}>{say('Looking at the file and the node…')}</Waiting>
      )}
      {checking.state === 'failed' && (
        <ErrorNotice title={say('The checks could not be made')} error={checking.error} />
      )}
      {found && <CheckList checks={found.checks} />}
      <Spoken>
        {blocks !== null && (
          <p className={styles.blocked}>
            <SafeText text={blocks} />
          </p>
        )}
        {blocks === null && !busy && <VisuallyHidden>{say('The checks are made.')}</VisuallyHidden>}
      </Spoken>
      {found && helpsOffline(found, node) && <WorkHere network={node.network} />}
    </Section>
  );
}

/** The offline engine needs neither the node's wallets folder nor its blocks, and loads legacy wallets. */
function helpsOffline({ checks }: RestoreChecks, { offline }: NodeStatus): boolean {
  return !offline && checks.some(({ id, verdict }) => verdict === 'stop' && HELPED.has(id));
}

const HELPED: ReadonlySet<string> = new Set(['wallets-folder', 'pruned', 'release']);
