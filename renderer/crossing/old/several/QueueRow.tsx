/** One wallet of the queue: how it stands, why it failed, and the way to its proof and new backup. */
import { Button } from '@mantine/core';
import { useId } from 'react';
import type { Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { Disclosure } from '../../../elements/Disclosure.tsx';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { Tag } from '../../../elements/Tag.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { useApp } from '../../../state/appStore.ts';
import type { QueueItem } from '../../../state/manyQueue.ts';
import { OperationOutcome } from '../../result/OperationOutcome.tsx';
import { SafetyCopyLines } from '../../result/SafetyCopyLines.tsx';
import { passphraseRefused } from '../migrate/passphraseRefused.ts';
import styles from './Many.module.css';
import { standingWords } from './queueWords.ts';

interface QueueRowProps {
  item: QueueItem;
  /** Its own, once it is begun. */
  operation: Operation | null;
  /** Nothing waits any more, so that this page can be left. */
  over: boolean;
}

export function QueueRow({ item, operation, over }: QueueRowProps) {
  const { wallet, standing } = item;
  const nameId = useId();
  const { tone, word, text } = standingWords(item, operation);
  return (
    <div className={styles.stack}>
      <div className={styles.head}>
        <span id={nameId} className={styles.name}>
          <WalletName name={wallet} />
        </span>
        <Tag tone={tone}>{word}</Tag>
        {over && <WayOn item={item} operation={operation} describedBy={nameId} />}
      </div>
      {text !== '' && (
        <p className={styles.summary}>
          <SafeText text={text} lines />
        </p>
      )}
      {standing.state === 'refused' && (
        <Disclosure look="quiet" summary={say('Why')}>
          <ErrorNotice error={standing.error} quiet />
        </Disclosure>
      )}
      {operation && (operation.state === 'failed' || operation.state === 'unknown') && (
        <Disclosure look="quiet" summary={say('Why')}>
          <div className={styles.stack}>
            <OperationOutcome operation={operation} />
          </div>
        </Disclosure>
      )}
      {operation?.safetyCopy && operation.state !== 'running' && (
        <Disclosure look="quiet" summary={say('Safety copy')}>
          <SafetyCopyLines copy={operation.safetyCopy} />
        </Disclosure>
      )}
    </div>
  );
}

interface WayOnProps {
  item: QueueItem;
  operation: Operation | null;
  describedBy: string;
}

/** Each leads to the wizard of the one wallet. */
function WayOn({ item: { wallet, standing }, operation, describedBy }: WayOnProps) {
  const go = useApp((state) => state.go);
  const look = { size: 'compact-sm', variant: 'default', 'aria-describedby': describedBy } as const;
  if (operation?.state === 'done') {
    return (
      <Button {...look} onClick={() => go({ at: 'migrate', wallet, operation: operation.id })}>
        {say('Proof and new backup')}
      </Button>
    );
  }
  if (operation?.state === 'failed' || standing.state === 'refused') {
    // A refused passphrase is taken back to its form, with what was said of it.
    const refused = operation !== null && passphraseRefused(operation.error);
    return (
      <Button
        {...look}
        onClick={() =>
          go(
            refused
              ? { at: 'migrate', wallet, operation: operation.id, begunHere: true }
              : { at: 'migrate', wallet, operation: null },
          )
        }
      >
        {say('Try again')}
      </Button>
    );
  }
  if (operation?.state === 'unknown') {
    return (
      <Button {...look} onClick={() => go({ at: 'migrate', wallet, operation: operation.id })}>
        {say('What is known')}
      </Button>
    );
  }
  return null;
}
