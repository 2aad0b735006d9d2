/** The steps of a migration before it runs: which wallet, its checks, its passphrase, and one last look. */
import { useState } from 'react';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { Waiting } from '../../../elements/Waiting.tsx';
import { useApp } from '../../../state/appStore.ts';
import { foundBy } from '../../../state/look.ts';
import { useSending } from '../../../state/useSending.ts';
import { useKnownWallets } from '../useKnownWallets.ts';
import { WizardFrame } from '../WizardFrame.tsx';
import { CheckStep } from './CheckStep.tsx';
import { isUnclosed } from './isUnclosed.ts';
import { kindOf } from './kindOf.ts';
import { MIGRATE_STEPS, MIGRATE_TITLE, SAFE_WAY_STEPS } from './migrateSteps.ts';
import { PassphraseStep } from './PassphraseStep.tsx';
import { passphraseRefused } from './passphraseRefused.ts';
import { RehearsalPart } from './RehearsalPart.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { SafeNameStep } from './SafeNameStep.tsx';
import { startMigration } from './startMigration.ts';
import { useMigrationChecks } from './useMigrationChecks.ts';
import { usePassphraseField } from './usePassphraseField.ts';
import { isWrong, usePassphraseTry } from './usePassphraseTry.ts';
import { foundLoss, useRehearsal } from './useRehearsal.ts';
import { useSafeWay } from './useSafeWay.ts';
import { canBeSeen, foundIn, useWalletFile } from './useWalletFile.ts';
import { WalletStep } from './WalletStep.tsx';
import { isSafeWayOpen, whatBlocks } from './whatBlocks.ts';

type FormStep = 'wallet' | 'check' | 'name' | 'passphrase' | 'review';

interface MigrateFormProps {
  node: NodeStatus;
  wallet: string | null;
  startAt: FormStep;
  /** Why the passphrase has to be given anew. */
  refused: AppErrorShape | null;
  /** The name that the safe way was tried with; null where it was not. */
  safelyAs: string | null;
}

export function MigrateForm({ node, wallet: given, startAt, refused, safelyAs }: MigrateFormProps) {
  const go = useApp((state) => state.go);
  const wallets = useKnownWallets();
  const [name, setName] = useState(given);
  const [wantedStep, setStep] = useState(startAt);
  const [error, setError] = useState(refused);
  const secret = usePassphraseField();
  const withPassphrase = secret.given;
  /** Whether what is typed holds a zero byte. */
  const [zeroByte, setZeroByte] = useState(false);
  const { busy, send } = useSending();
  /** Whether what the rehearsal found lacking was read, and the node shall decide. */
  const [lossRead, setLossRead] = useState(false);
  const [hasOwnCopy, setHasOwnCopy] = useState(false);
  const passphraseTry = usePassphraseTry();
  const { rehearsing, rehearse, forget } = useRehearsal();

  const checks = useMigrationChecks(name, zeroByte);
  const found = foundBy(checks.checking);
  const safeWay = useSafeWay(node, wallets ?? [], safelyAs);
  const safely = safeWay.chosen && (found === null || isSafeWayOpen(checks.checking));
  const listed = wallets?.find((one) => one.name === name) ?? null;
  const file = useWalletFile(listed && listed.kind !== 'descriptor' ? listed.name : null, node);
  const contents = foundIn(file);
  // A node that refused for the passphrase has told that the wallet is encrypted, which a list may not know.
  const told = name === given && passphraseRefused(refused) ? true : (listed?.encrypted ?? null);
  const encrypted = told ?? (contents && contents.encryption !== null);
  const wallet = listed && { ...listed, encrypted, kind: kindOf(listed, contents) };
  // Not when the file tells it, which can come while a passphrase is being typed.
  const step = wantedStep === 'passphrase' && told === false ? 'review' : wantedStep;
  const blocked = whatBlocks(checks.checking, safely);

  function choose(chosen: string) {
    secret.take();
    setZeroByte(false);
    setName(chosen);
    setError(null);
    setHasOwnCopy(false);
    safeWay.choose(false);
    passphraseTry.forget();
    forget();
  }

  function takePassphrase() {
    if (!secret.leave(encrypted)) return;
    setError(null);
    setStep('review');
  }

  function startRehearsal() {
    if (name === null) return;
    setLossRead(false);
    void rehearse(name, node.network, secret.field.current?.value ?? '');
  }

  async function migrate() {
    if (name === null || found === null) return;
    const { file: source, copy } = found;
    if (safely && source === null) return;
    const started = await send(() => {
      setError(null);
      const passphrase = secret.take();
      setZeroByte(false);
      return startMigration({
        name,
        safely: safely && source !== null ? { newName: safeWay.name, file: source } : null,
        copyWay: copy.way,
        passphrase,
        hasOwnCopy,
        seen: found.node,
      });
    });
    if (started === null) return;
    if ('operation' in started) {
      return go({ at: 'migrate', wallet: name, operation: started.operation.id, begunHere: true });
    }
    setError(started.error);
    checks.lookAgain();
    if (withPassphrase) setStep('passphrase');
  }

  const passes = encrypted === false;
  const afterNames = passes ? 'review' : 'passphrase';
  const lossUnread = foundLoss(rehearsing) && !lossRead;
  const copyLacking = found?.copy.way === 'cannot' && !hasOwnCopy;
  const reasonNot =
    blocked ??
    (copyLacking ? say('Say that you have a copy of the wallet’s file.') : null) ??
    (lossUnread ? say('Say that you have read what the rehearsal told.') : null);
  const next = {
    wallet: { label: say('Next'), disabled: wallet === null, onNext: () => setStep('check') },
    check: {
      label: say('Next'),
      disabled: wallet === null || blocked !== null,
      reason: blocked,
      onNext: () => setStep(safely ? 'name' : afterNames),
    },
    name: { label: say('Next'), disabled: !safeWay.verdict.ok, onNext: () => setStep(afterNames) },
    passphrase: {
      label: say('Next'),
      // What a zero byte means is read before going on.
      disabled: wallet === null || (zeroByte && checks.checking.state === 'looking'),
      onNext: takePassphrase,
    },
    review: {
      label: say('Migrate this wallet'),
      busy,
      disabled: reasonNot !== null || (safely && !safeWay.verdict.ok),
      reason: reasonNot,
      onNext: migrate,
    },
  }[step];
  const beforePassphrase = safely ? 'name' : 'check';
  const back = {
    wallet: null,
    check: 'wallet',
    name: 'check',
    passphrase: beforePassphrase,
    review: passes ? beforePassphrase : 'passphrase',
  } as const;
  const before = back[step];
  const rehearsal = wallet && canBeSeen(file) && (
    <RehearsalPart
      rehearsing={rehearsing}
      onRehearse={startRehearsal}
      onCancel={forget}
      preview={contents?.migration ?? null}
      unfinished={wallet.loaded && contents !== null && isUnclosed(contents)}
    />
  );

  return (
    <WizardFrame
      title={MIGRATE_TITLE}
      steps={safely ? SAFE_WAY_STEPS : MIGRATE_STEPS}
      at={step}
      heading={HEADINGS[step]}
      onCancel={() => go({ at: 'wallets' })}
      onBack={before ? () => setStep(before) : undefined}
      next={next}
    >
      {wallets === null && <Waiting>{say('Looking at the node’s wallets…')}</Waiting>}
      {step === 'wallet' && wallets && (
        <WalletStep wallets={wallets} node={node} chosen={wallet} file={file} onChoose={choose} />
      )}
      {step === 'check' && wallets && name !== null && (
        <CheckStep
          name={name}
          wallet={wallet}
          node={node}
          run={checks}
          file={file}
          safely={safely}
          onSafeWay={() => {
            safeWay.choose(true);
            setStep('name');
          }}
          rehearsal={passes && rehearsal}
        />
      )}
      {step === 'name' && <SafeNameStep safeWay={safeWay} file={found?.file ?? null} />}
      {/* Stays in the page until the call is made: what was typed is nowhere else. */}
      <div hidden={step !== 'passphrase'}>
        <PassphraseStep
          field={secret.field}
          encrypted={encrypted}
          lacking={secret.lacking}
          error={error}
          name={name}
          file={file}
          passphraseTry={passphraseTry}
          offline={node.offline}
          use={safely ? 'before-placing' : 'try-or-rehearse'}
          zeroCheck={(zeroByte && found?.checks.find(({ id }) => id === 'passphrase')) || null}
          onZeroByte={setZeroByte}
        />
      </div>
      {step === 'review' && wallet && (
        <ReviewStep
          wallet={wallet}
          node={node}
          run={checks}
          newName={safely ? safeWay.name : null}
          withPassphrase={withPassphrase}
          error={error}
          contents={contents}
          wrongPassphrase={withPassphrase && isWrong(passphraseTry.trying)}
          rehearsal={rehearsal}
          loss={foundLoss(rehearsing) ? { read: lossRead, onRead: setLossRead } : null}
          hasOwnCopy={hasOwnCopy}
          onOwnCopy={setHasOwnCopy}
        />
      )}
    </WizardFrame>
  );
}

const HEADINGS: Readonly<Record<FormStep, string>> = {
  wallet: say('Wallet'),
  check: say('Check'),
  name: say('New name'),
  passphrase: say('Passphrase'),
  review: say('Review'),
};
