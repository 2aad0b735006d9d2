/** What came of a crossing, whatever its kind: its result, its error, or what is known when nobody can tell. */
import type { Crossing, CrossingResult } from '../../../shared/crossing.ts';
import { say } from '../../../shared/text/say.ts';
import { walletBalance } from '../../../shared/words/balanceWords.ts';
import { BACKUP_AFTER } from '../../../shared/words/crossingWords.ts';
import { FactList } from '../../elements/list/FactList.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Term, WalletName } from '../../elements/text/texts.tsx';
import { BackupFile } from './BackupFile.tsx';
import { CrossingFailure } from './CrossingFailure.tsx';
import { MigrationOutcome } from './MigrationOutcome.tsx';
import { Rescued } from './Rescued.tsx';
import { AfterBackup, AfterRestore } from './WhatNow.tsx';

/** Renders nothing while it runs. */
export function CrossingOutcome({ crossing }: { crossing: Crossing }) {
  const { state, result, warnings, node } = crossing;
  if (state === 'running') return null;
  if (state !== 'done' || result === null) return <CrossingFailure crossing={crossing} />;
  return (
    <>
      {result.kind === 'restore' && <Restored crossing={crossing} result={result} />}
      {result.kind === 'migrate' && <MigrationOutcome crossing={crossing} result={result} />}
      {result.kind === 'backup' && (
        <>
          <BackupFile proof={result.proof} />
          <AfterBackup />
        </>
      )}
      <NodeWarnings warnings={warnings} offline={node.offline} />
    </>
  );
}

interface RestoredProps {
  crossing: Crossing;
  result: Extract<CrossingResult, { kind: 'restore' }>;
}

function Restored({ crossing, result }: RestoredProps) {
  const { node } = crossing;
  return (
    <>
      <FactList
        facts={[
          { label: say('Wallet'), value: <WalletName name={result.walletName} /> },
          { label: say('Kind'), value: KINDS[result.walletKind] },
          { label: say('Balance'), value: walletBalance(result.balance, node.network, node.offline) },
        ]}
      />
      {result.rescue && <Rescued facts={result.rescue} />}
      {result.backupAfter && (
        <Notice tone="read" title={BACKUP_AFTER[result.backupAfter]}>
          <p>
            {say(
              'A different wallet may have been restored. Compare balance and addresses before you use it. Find out who can write to the file.',
            )}
          </p>
        </Notice>
      )}
      <AfterRestore crossing={crossing} result={result} />
    </>
  );
}

const KINDS = {
  descriptor: say('Descriptor wallet'),
  legacy: <Term word="legacy wallet">{say('Legacy wallet')}</Term>,
  unknown: say('Not known'),
} as const;
