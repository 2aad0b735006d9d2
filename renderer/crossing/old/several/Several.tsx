/** The steps for several wallets in one frame, so that the passphrases' fields stay in the page through all of them. */
import { useEffect, useRef, useState } from 'react';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { takeSecret } from '../../../elements/input/takeSecret.ts';
import { Waiting } from '../../../elements/Waiting.tsx';
import { useApp } from '../../../state/appStore.ts';
import { isOver, type QueueItem } from '../../../state/manyQueue.ts';
import { useMany } from '../../../state/manyStore.ts';
import { useOperations } from '../../../state/operationsStore.ts';
import { migratable } from '../migrate/migratable.ts';
import { useKnownWallets } from '../useKnownWallets.ts';
import { WizardFrame } from '../WizardFrame.tsx';
import { type Candidate, ChecksStep } from './ChecksStep.tsx';
import { ChooseStep } from './ChooseStep.tsx';
import { MANY_STEPS, MANY_TITLE } from './manySteps.ts';
import { type Fields, type Locked, PassphrasesStep } from './PassphrasesStep.tsx';
import { QueueButtons } from './QueueButtons.tsx';
import { QueueView } from './QueueView.tsx';
import { resultsHeading } from './queueWords.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { takingPart } from './takingPart.ts';
import { toggled } from './toggled.ts';
import { useManyChecks } from './useManyChecks.ts';

type FormStep = 'wallets' | 'checks' | 'passphrases' | 'review';

/** Without a node there is only a queue to show. */
export function Several({ node }: { node: NodeStatus | null }) {
  const go = useApp((state) => state.go);
  const queue = useMany((state) => state.queue);
  const operations = useOperations((state) => state.operations);
  const wallets = useKnownWallets();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(useMany.getState().wanted));
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [ownCopies, setOwnCopies] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState<ReadonlySet<string>>(new Set());
  const [lacking, setLacking] = useState<ReadonlySet<string>>(new Set());
  const [step, setStep] = useState<FormStep>('wallets');
  /** Of the queue: its fields stay whatever becomes of the list of wallets. */
  const [begun, setBegun] = useState<readonly Locked[]>([]);
  const { looks, lookAt } = useManyChecks();
  const fields = useRef<Fields>(new Map());
  useEffect(() => () => useMany.getState().leave(), []);

  const choosable = migratable(wallets ?? []);
  const wanted = choosable.filter(({ name }) => chosen.has(name));
  const candidates = choosable.flatMap((wallet): Candidate[] => {
    const look = looks.get(wallet.name);
    if (!look) return [];
    const said = { unticked: unticked.has(wallet.name), hasOwnCopy: ownCopies.has(wallet.name) };
    return [{ wallet, look, ...said, part: takingPart(look, said) }];
  });
  const taking = candidates.filter(({ part }) => part.is === 'in');
  const unsettled = candidates.some(({ part }) => part.is === 'open' || part.is === 'word-needed');
  const locked = queue ? begun.filter(({ wallet }) => isOpen(queue.items, wallet)) : taking.flatMap(lockOf);
  const over = queue !== null && isOver(queue, operations);
  const at = queue ? (over ? 'results' : 'running') : step;

  function look(): void {
    setUnticked(new Set());
    lookAt(wanted);
    setStep('checks');
  }

  function takePassphrases(): void {
    const isEmpty = ({ wallet }: Locked) => (fields.current.get(wallet)?.value ?? '') === '';
    const missing = locked.filter((one) => one.needed && isEmpty(one));
    setLacking(new Set(missing.map(({ wallet }) => wallet)));
    const [first] = missing;
    if (first) {
      fields.current.get(first.wallet)?.focus();
      return;
    }
    setTyped(new Set(locked.filter((one) => !isEmpty(one)).map(({ wallet }) => wallet)));
    setStep('review');
  }

  function migrate(): void {
    if (node === null) return;
    setBegun(locked);
    const items = taking.map((candidate) => ({
      wallet: candidate.wallet.name,
      passphrase: passphraseOf(candidate),
      hasOwnCopy: candidate.hasOwnCopy,
    }));
    useMany.getState().run(node, items, (wallet) => takeSecret(fields.current.get(wallet)));
  }

  const steps = {
    wallets: {
      heading: say('Wallets'),
      back: null,
      next: { label: say('Next'), disabled: wanted.length === 0, onNext: look },
    },
    checks: {
      heading: say('Checks'),
      back: 'wallets',
      next: {
        label: say('Next'),
        disabled: taking.length === 0 || unsettled,
        onNext: () => setStep(locked.length > 0 ? 'passphrases' : 'review'),
      },
    },
    passphrases: {
      heading: say('Passphrases'),
      back: 'checks',
      next: { label: say('Next'), disabled: taking.length === 0, onNext: takePassphrases },
    },
    review: {
      heading: say('Review'),
      back: locked.length > 0 ? 'passphrases' : 'checks',
      next: {
        label:
          taking.length === 1
            ? say('Migrate this wallet')
            : say('{count, plural, one {Migrate # wallet} other {Migrate # wallets}}', {
                count: taking.length,
              }),
        disabled: taking.length === 0,
        onNext: migrate,
      },
    },
  } as const;
  const { heading, back, next } = steps[step];
  const frame = queue
    ? {
        heading: over ? resultsHeading(queue, operations) : say('Migrating one after another'),
        actions: <QueueButtons queue={queue} over={over} />,
      }
    : {
        heading,
        next,
        onBack: back === null ? undefined : () => setStep(back),
        onCancel: () => go({ at: 'wallets' }),
      };

  return (
    <WizardFrame title={MANY_TITLE} steps={MANY_STEPS} at={at} {...frame}>
      {queue && <QueueView queue={queue} over={over} />}
      {!queue && wallets === null && <Waiting>{say('Looking at the node’s wallets…')}</Waiting>}
      {node && wallets && at === 'wallets' && (
        <ChooseStep wallets={choosable} node={node} chosen={chosen} onChoose={setChosen} />
      )}
      {at === 'checks' && (
        <ChecksStep
          candidates={candidates}
          onTick={(name, ticked) => setUnticked(toggled(unticked, name, !ticked))}
          onOwnCopy={(name, has) => setOwnCopies(toggled(ownCopies, name, has))}
          onLookAgain={look}
        />
      )}
      {/* Stays in the page until each call is made: what was typed is nowhere else. */}
      <div hidden={at !== 'passphrases'}>
        <PassphrasesStep
          locked={locked}
          fields={fields.current}
          lacking={lacking}
          offline={node?.offline ?? false}
        />
      </div>
      {node && at === 'review' && (
        <ReviewStep
          node={node}
          taking={taking}
          leftOut={candidates.filter(({ part }) => part.is !== 'in')}
          typed={typed}
        />
      )}
    </WizardFrame>
  );
}

function passphraseOf({ look }: Candidate): QueueItem['passphrase'] {
  const encrypted = look.state === 'known' ? look.encrypted : null;
  if (encrypted === null) return 'perhaps';
  return encrypted ? 'needed' : 'none';
}

function lockOf(candidate: Candidate): Locked[] {
  const { wallet, look } = candidate;
  const passphrase = passphraseOf(candidate);
  if (passphrase === 'none') return [];
  const canTry = look.state === 'known' && look.found.file !== null;
  return [{ wallet: wallet.name, needed: passphrase === 'needed', canTry }];
}

/** Whether its passphrase is still to be read. */
function isOpen(items: readonly QueueItem[], wallet: string): boolean {
  const state = items.find((item) => item.wallet === wallet)?.standing.state;
  return state === 'waiting' || state === 'starting';
}
