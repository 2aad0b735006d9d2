/** An operation at work: its steps, how far it is, how long it has taken and may still take, and the node's log. */
import { Loader, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCircle, IconMinus, IconPlayerStop } from '@tabler/icons-react';
import type { Operation, Progress, Step } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { ProgressBar } from '../../elements/ProgressBar.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { WalletName } from '../../elements/text/WalletName.tsx';
import { useElapsed } from '../../elements/useElapsed.ts';
import { formatLeft } from '../../words/format/formatDuration.ts';
import { formatShare } from '../../words/format/formatShare.ts';
import { currentPhase, phaseName } from '../../words/crossingWords.ts';
import { blocksText, variantText } from '../../words/crossingWords.ts';
import { LineTrouble } from './LineTrouble.tsx';
import { OperationLog } from './OperationLog.tsx';
import styles from './OperationProgress.module.css';

export function OperationProgress({ operation }: { operation: Operation }) {
  const { kind, state, steps, progress } = operation;
  const running = state === 'running';
  const phase = currentPhase(steps);
  return (
    <div className={styles.operation}>
      {running && <LineTrouble operation={operation} />}
      <ol className={styles.steps} aria-label={say('What is done and what is to come')}>
        {steps.map((step) => (
          <StepLine key={step.phase} step={step} kind={kind} operation={state} />
        ))}
      </ol>
      {running && <Measure operation={operation} />}
      {running && progress && <RescanFacts progress={progress} />}
      <div role="status" className={styles.spoken}>
        <VisuallyHidden>
          {running && phase && say('Now: {phase}', { phase: phaseName(phase, kind) })}
        </VisuallyHidden>
      </div>
      <OperationLog operation={operation} />
    </div>
  );
}

interface StepLineProps {
  step: Step;
  kind: Operation['kind'];
  operation: Operation['state'];
}

function StepLine({ step, kind, operation }: StepLineProps) {
  const { icon, word } = looksOf(step.state, operation);
  return (
    <li className={styles.step} data-state={step.state}>
      <span className={styles.mark} aria-hidden>
        {icon}
      </span>
      <span className={styles.name}>{phaseName(step.phase, kind)}</span>
      <span className={styles.word}>{word}</span>
    </li>
  );
}

/** A step that was running when the operation ended is the one it stopped at. */
function looksOf(state: Step['state'], operation: Operation['state']) {
  const running = operation === 'running';
  const known = operation !== 'unknown';
  switch (state) {
    case 'done':
      return { icon: <IconCheck size={16} />, word: say('done') };
    case 'running':
      return running
        ? { icon: <Loader size={16} color="var(--ferry-focus)" />, word: say('now') }
        : { icon: <IconPlayerStop size={16} />, word: known ? say('stopped here') : say('last seen here') };
    case 'skipped':
      return { icon: <IconMinus size={16} />, word: say('not needed') };
    case 'waiting':
      return {
        icon: <IconCircle size={16} />,
        word: running ? say('to come') : known ? say('not reached') : say('not seen'),
      };
  }
}

function Measure({ operation: { kind, measured, progress, started } }: { operation: Operation }) {
  const elapsed = useElapsed(started);
  const left = progress?.secondsLeft ?? null;
  const unmeasured = progress === null && measured === 'time' && kind !== 'backup';
  return (
    <div>
      <ProgressBar label={progress ? say('Rescan') : say('Progress')} fraction={progress?.fraction ?? null} />
      <div className={styles.numbers}>
        {progress && (
          <strong>{say('{percent} rescanned', { percent: formatShare(progress.fraction) })}</strong>
        )}
        {left !== null && <span>{formatLeft(left)}</span>}
        {unmeasured ? (
          <span>{say('The node does not tell how far it is. Elapsed: {elapsed}', { elapsed })}</span>
        ) : (
          <span>{say('Elapsed: {elapsed}', { elapsed })}</span>
        )}
      </div>
    </div>
  );
}

function RescanFacts({ progress }: { progress: Progress }) {
  return (
    <div className={styles.rescan}>
      <div>
        <Say
          text="Wallet being rescanned: {wallet}"
          values={{ wallet: <WalletName name={progress.wallet} /> }}
        />
      </div>
      {[blocksText(progress), variantText(progress)].map((text) => text && <div key={text}>{text}</div>)}
    </div>
  );
}
