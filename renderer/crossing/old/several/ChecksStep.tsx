/** What was found of each chosen wallet, which of them take part, and what the user has to say for some. */
import { Checkbox } from '@mantine/core';
import { say } from '../../../../shared/text/say.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { Disclosure } from '../../../elements/Disclosure.tsx';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { PagedList } from '../../../elements/list/PagedList.tsx';
import { Tag } from '../../../elements/Tag.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName, walletLabel } from '../../../elements/text/WalletName.tsx';
import { listed } from '../../../words/format/listed.ts';
import { CheckList } from '../../plan/CheckList.tsx';
import { checksSummary } from './checksSummary.ts';
import styles from './Many.module.css';
import type { Part } from './takingPart.ts';
import type { WalletLook } from './useManyChecks.ts';

export interface Candidate {
  wallet: Wallet;
  look: WalletLook;
  part: Part;
  unticked: boolean;
  hasOwnCopy: boolean;
}

interface ChecksStepProps {
  candidates: readonly Candidate[];
  onTick: (name: string, ticked: boolean) => void;
  onOwnCopy: (name: string, has: boolean) => void;
  onLookAgain: () => void;
}

export function ChecksStep({ candidates, onTick, onOwnCopy, onLookAgain }: ChecksStepProps) {
  const isOpen = ({ look }: Candidate) => look.state === 'waiting' || look.state === 'looking';
  const open = candidates.filter(isOpen).length;
  const count = (is: Part['is']) => candidates.filter(({ part }) => part.is === is).length;
  const stopped = count('stopped');
  const words = count('word-needed');
  return (
    <>
      <div className={styles.told}>
        <span role="status">
          {open > 0
            ? say(
                '{all, plural, one {{seen, number} of # wallet looked at} other {{seen, number} of # wallets looked at}}',
                { seen: candidates.length - open, all: candidates.length },
              )
            : listed([
                say('{count, plural, one {# wallet can be migrated} other {# wallets can be migrated}}', {
                  count: count('in') + words,
                }),
                ...(stopped > 0 ? [say('{count, number} left out', { count: stopped })] : []),
                ...(words > 0 ? [say('{count, number} without a copy', { count: words })] : []),
              ])}
        </span>
        <ActionButton size="compact-sm" variant="default" busy={open > 0} onClick={onLookAgain}>
          {say('Look again')}
        </ActionButton>
      </div>
      <PagedList
        look="boxed"
        label={say('Wallets that were looked at')}
        items={candidates}
        keyOf={({ wallet }) => wallet.name}
        row={(candidate) => (
          <Row
            candidate={candidate}
            onTick={(ticked) => onTick(candidate.wallet.name, ticked)}
            onOwnCopy={(has) => onOwnCopy(candidate.wallet.name, has)}
          />
        )}
      />
    </>
  );
}

interface RowProps {
  candidate: Candidate;
  onTick: (ticked: boolean) => void;
  onOwnCopy: (has: boolean) => void;
}

function Row({ candidate: { wallet, look, part, unticked, hasOwnCopy }, onTick, onOwnCopy }: RowProps) {
  const { name } = wallet;
  const { tone, word, text } = checksSummary(look, part);
  return (
    <div className={styles.stack}>
      <div className={styles.head}>
        {part.is === 'stopped' ? (
          <span className={styles.name}>
            <WalletName name={name} />
          </span>
        ) : (
          <Checkbox
            className={styles.name}
            label={<WalletName name={name} />}
            checked={!unticked}
            onChange={(event) => onTick(event.currentTarget.checked)}
          />
        )}
        <Tag tone={tone}>{word}</Tag>
      </div>
      {text !== '' && (
        <p className={styles.summary}>
          <SafeText text={text} />
        </p>
      )}
      {look.state === 'known' && look.found.copy.way === 'cannot' && part.is !== 'stopped' && !unticked && (
        <div className={styles.word}>
          <p>
            <Say
              text="The app cannot make its own copy: {reason}"
              values={{ reason: <SafeText text={look.found.copy.text} /> }}
            />
          </p>
          <Checkbox
            label={say('I have a copy of this wallet’s file in a safe place')}
            aria-label={say('I have a copy of this wallet’s file in a safe place: {wallet}', {
              wallet: walletLabel(name),
            })}
            checked={hasOwnCopy}
            onChange={(event) => onOwnCopy(event.currentTarget.checked)}
          />
        </div>
      )}
      {look.state === 'known' && (
        <Disclosure
          look="quiet"
          summary={say('{count, plural, one {Its # check} other {Its # checks}}', {
            count: look.found.checks.length,
          })}
        >
          <div className={styles.stack}>
            <CheckList checks={look.found.checks} />
            {look.found.copy.way !== 'cannot' && (
              <p>
                <Say text="Safety copy: {copy}" values={{ copy: <SafeText text={look.found.copy.text} /> }} />
              </p>
            )}
          </div>
        </Disclosure>
      )}
      {look.state === 'failed' && (
        <Disclosure look="quiet" summary={say('Why')}>
          <ErrorNotice error={look.error} quiet />
        </Disclosure>
      )}
    </div>
  );
}
