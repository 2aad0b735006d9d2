/** Which wallets are migrated, in which order and with which calls; and which are not. */
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { FactList } from '../../../elements/list/FactList.tsx';
import { List } from '../../../elements/list/List.tsx';
import { PagedList } from '../../../elements/list/PagedList.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { NodeLine } from '../../../elements/text/NodeLine.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { formatCount } from '../../../words/format/formatCount.ts';
import { migrateCalls } from '../callText.ts';
import type { Candidate } from './ChecksStep.tsx';
import styles from './Many.module.css';

interface ReviewStepProps {
  node: NodeStatus;
  taking: readonly Candidate[];
  leftOut: readonly Candidate[];
  /** The wallets for which a passphrase was typed. */
  typed: ReadonlySet<string>;
}

export function ReviewStep({ node, taking, leftOut, typed }: ReviewStepProps) {
  return (
    <>
      <FactList
        facts={[
          { label: say('Wallets'), value: formatCount(taking.length) },
          { label: say('Node'), value: <NodeLine node={node} release={node.release.text} /> },
          {
            label: say('Passphrases'),
            value:
              typed.size === 0
                ? say('None is passed')
                : node.offline
                  ? say(
                      '{count, plural, one {# typed; the dots stand for it, and it goes to the offline engine only} other {# typed; the dots stand for them, and they go to the offline engine only}}',
                      { count: typed.size },
                    )
                  : say(
                      '{count, plural, one {# typed; the dots stand for it, and it goes to the node only} other {# typed; the dots stand for them, and they go to the node only}}',
                      { count: typed.size },
                    ),
          },
        ]}
      />
      <PagedList
        look="boxed"
        label={say('Wallets to migrate, in this order')}
        items={taking}
        keyOf={({ wallet }) => wallet.name}
        row={({ wallet: { name, loaded }, look, hasOwnCopy }) => (
          <div className={styles.stack}>
            <span className={styles.name}>
              <WalletName name={name} />
            </span>
            {migrateCalls({
              name,
              loaded,
              withPassphrase: typed.has(name),
              migrates: node.release.migrates,
              copyWay: look.state === 'known' ? look.found.copy.way : undefined,
            }).map((call) => (
              <code key={call} className={styles.call}>
                <SafeText text={call} mono />
              </code>
            ))}
            <p className={styles.quiet}>
              {look.state === 'known' && look.found.copy.way !== 'cannot' ? (
                <Say
                  text="First, a safety copy: {copy}"
                  values={{ copy: <SafeText text={look.found.copy.text} /> }}
                />
              ) : (
                hasOwnCopy && say('No safety copy is made: you have one of your own.')
              )}
            </p>
          </div>
        )}
      />
      {leftOut.length > 0 && (
        <Notice
          tone="read"
          title={say('{count, plural, one {# wallet left out} other {# wallets left out}}', {
            count: leftOut.length,
          })}
        >
          <List look="bullets" label={say('Wallets left out')}>
            {leftOut.slice(0, MOST_LEFT_OUT).map(({ wallet, part }) => (
              <li key={wallet.name}>
                <WalletName name={wallet.name} />:{' '}
                {part.is === 'stopped' ? <SafeText text={part.why} /> : say('not chosen')}
              </li>
            ))}
          </List>
          {leftOut.length > MOST_LEFT_OUT && (
            <p>{say('And {count, number} more.', { count: leftOut.length - MOST_LEFT_OUT })}</p>
          )}
        </Notice>
      )}
      <Notice tone="info" title={say('Stay on this page until the last one is begun')}>
        <p>
          {say(
            'They run one after another; if one fails, the next is begun all the same. If you leave the page or close the app, those that still wait are not begun, because their passphrases are in this page only.',
          )}
        </p>
      </Notice>
    </>
  );
}

const MOST_LEFT_OUT = 20;
