/** The steps of a restore before it runs: which file, under which name, its passphrase, and one last look. */
import { useState } from 'react';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import { identityOf, type NodeStatus, sameNode } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { checkWalletName } from '../../../../shared/walletName.ts';
import { useApp } from '../../../state/appStore.ts';
import { foundBy } from '../../../state/look.ts';
import { isRunning, useOperations } from '../../../state/operationsStore.ts';
import { useSending } from '../../../state/useSending.ts';
import { checkNewName } from '../migrate/checkNewName.ts';
import { PassphraseStep } from '../migrate/PassphraseStep.tsx';
import { usePassphraseField } from '../migrate/usePassphraseField.ts';
import { isWrong, usePassphraseTry } from '../migrate/usePassphraseTry.ts';
import { RemarkList } from '../RemarkList.tsx';
import { stopped } from '../remark.ts';
import type { Hashing } from '../useFileHash.ts';
import { useKnownWallets } from '../useKnownWallets.ts';
import { WizardFrame } from '../WizardFrame.tsx';
import { BackupStep } from './BackupStep.tsx';
import { fileRemarks } from './fileRemarks.ts';
import { freeName } from './freeName.ts';
import { NameStep } from './NameStep.tsx';
import { nameFromPath } from './nameFromPath.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { type FileDraft, keepDraft, keepDraftOfFile, type RestoreDraft } from './restoreDraft.ts';
import { restoreUnsupported } from './restoreRemarks.ts';
import { WAY_FRAMES } from './restoreSteps.ts';
import { canPlace, restoreWay } from './restoreWay.ts';
import { startRestore } from './startRestore.ts';
import { useBackupFile } from './useBackupFile.ts';
import { useKeptChoices } from './useKeptChoices.ts';
import { useRestoreChecks } from './useRestoreChecks.ts';
import { walletRemarks } from './walletRemarks.ts';
import { whatBlocks } from './whatBlocks.ts';

interface RestoreFormProps {
  node: NodeStatus;
  /** A backup on this machine to begin with. */
  file: string | null;
  /** The path of one on the node's machine to begin with. */
  pathThere: string | null;
  /** What was entered for a restore that failed. */
  draft: RestoreDraft | null;
  /** What was entered before, also when the file was looked into meanwhile. */
  entered: FileDraft | null;
  /** A name to suggest, in place of the file's own. */
  suggested: string | null;
  /** Why the passphrase has to be given anew. */
  refused: AppErrorShape | null;
}

type FormStep = 'backup' | 'name' | 'passphrase' | 'review';

export function RestoreForm({
  node,
  file: given,
  pathThere,
  draft,
  entered,
  suggested,
  refused,
}: RestoreFormProps) {
  const go = useApp((state) => state.go);
  const platform = useApp(({ info }) => (node.local && info ? info.platform : 'other'));
  const wallets = useKnownWallets();
  const [wantedStep, setStep] = useState<FormStep>(draft ? (refused ? 'passphrase' : 'review') : 'backup');
  const [remotePath, setRemotePath] = useState((draft && !node.local ? draft.path : pathThere) ?? '');
  const [typedName, setTypedName] = useState(entered?.name ?? null);
  const [loadOnStartup, setLoadOnStartup] = useState(entered?.loadOnStartup ?? null);
  const [error, setError] = useState(refused);
  const [zeroByte, setZeroByte] = useState(false);
  const { busy, send } = useSending();
  const secret = usePassphraseField();
  const withPassphrase = secret.given;
  useKeptChoices({ name: typedName, loadOnStartup });

  const file = useBackupFile(given, draft?.facts ?? null);
  // The node reads a file on its own machine, which is not this one.
  const facts = node.local ? file.facts : null;
  const inspection = node.local ? file.inspection : null;
  const path = node.local ? (facts?.path ?? '') : remotePath.trim();
  const hashing: Hashing = node.local ? file.hashing : { state: 'none' };
  const way = restoreWay(file.facts, node);
  const inOneGo = way === 'restore-migrate';
  const passphraseTry = usePassphraseTry(path);
  const unsupported = restoreUnsupported(node);
  const remarks = [
    ...(unsupported ? [unsupported] : []),
    ...(facts ? fileRemarks(facts, node) : []),
    ...(inspection ? walletRemarks(inspection, node) : []),
  ];
  // The file may be read to its end only after its step was left.
  const stops = remarks.filter((remark) => remark.stops);
  const cannotGo = path === '' || stopped(remarks) || (inOneGo && !canPlace(node));

  // A name that is being restored just now is not in the node's list yet.
  const restoring = useOperations(({ operations }) => operations).flatMap((one) =>
    isRunning(one) && sameNode(one.node.address, node.address) ? [one.wallet] : [],
  );
  const rules = { taken: [...(wallets ?? []).map(({ name }) => name), ...restoring], platform };
  const checkName = inOneGo ? checkNewName : checkWalletName;
  const suggestion = suggested ?? facts?.suggestedName ?? nameFromPath(path);
  const name = typedName ?? freeName(suggestion, rules, checkName);
  const verdict = checkName(name, rules);

  // A node that refused for the passphrase has told as much as the file tells.
  const encrypted = refused !== null || (inspection && inspection.encryption !== null);
  const asksPassphrase = inOneGo && encrypted !== false;
  const step = wantedStep === 'passphrase' && !asksPassphrase ? 'review' : wantedStep;
  const tellsZeroByte = asksPassphrase && zeroByte;
  const checks = useRestoreChecks(
    step === 'review' || (step === 'passphrase' && tellsZeroByte)
      ? { name, backupFile: path, ...(tellsZeroByte ? { zeroInPassphrase: true } : {}) }
      : null,
    node.address,
  );
  const found = foundBy(checks.checking);

  function takePassphrase() {
    if (!secret.leave(encrypted)) return;
    setError(null);
    setStep('review');
  }

  async function start() {
    const started = await send(() => {
      setError(null);
      const passphrase = secret.take();
      setZeroByte(false);
      return startRestore(way, {
        name,
        backupFile: path,
        loadOnStartup,
        passphrase,
        seenSha256: hashing.state === 'done' ? hashing.sha256 : undefined,
        node: node.address,
        seen: found?.node ?? identityOf(node),
      });
    });
    if (started === null) return;
    if ('operation' in started) {
      const { id } = started.operation;
      keepDraft(id, { path, facts, name, loadOnStartup });
      return go(
        inOneGo
          ? { at: 'migrate', wallet: name, operation: id, begunHere: true }
          : { at: 'restore', file: node.local ? path : null, operation: id },
      );
    }
    setError(started.error);
    if (started.error.code === 'file_changed') file.lookAgain();
    if (withPassphrase) setStep('passphrase');
  }

  function lookAgain() {
    checks.lookAgain();
    if (hashing.state === 'failed') file.lookAgain();
  }

  function seeEverything() {
    if (!facts) return;
    keepDraftOfFile(facts.path, { name: typedName, loadOnStartup });
    go({ at: 'inspect', source: { by: 'file', path: facts.path } });
  }

  const next = {
    backup: { label: say('Next'), disabled: cannotGo, onNext: () => setStep('name') },
    name: {
      label: say('Next'),
      disabled: !verdict.ok || cannotGo,
      onNext: () => setStep(asksPassphrase ? 'passphrase' : 'review'),
    },
    passphrase: {
      label: say('Next'),
      // What a zero byte means is read before going on.
      disabled: cannotGo || (tellsZeroByte && checks.checking.state === 'looking'),
      onNext: takePassphrase,
    },
    review: {
      label: inOneGo ? say('Restore and migrate') : say('Restore this backup'),
      busy,
      disabled: !verdict.ok || cannotGo || whatBlocks(checks.checking, way, hashing) !== null,
      onNext: start,
    },
  }[step];
  const before = ({ backup: null, name: 'backup', passphrase: 'name', review: null } as const)[step];
  const beforeReview = asksPassphrase ? 'passphrase' : 'name';
  const back = step === 'review' ? beforeReview : before;

  return (
    <WizardFrame
      {...WAY_FRAMES[way]}
      at={step}
      heading={headingOf(step, inOneGo)}
      onCancel={() => go({ at: 'wallets' })}
      onBack={back ? () => setStep(back) : undefined}
      next={next}
    >
      {step === 'backup' && (
        <BackupStep
          node={node}
          way={way}
          file={file}
          onEverything={seeEverything}
          remarks={remarks}
          remotePath={remotePath}
          onRemotePath={setRemotePath}
        />
      )}
      {step !== 'backup' && step !== 'review' && <RemarkList remarks={stops} />}
      {step === 'name' && (
        <NameStep
          way={way}
          name={name}
          typed={typedName !== null}
          verdict={verdict}
          namesKnown={wallets !== null}
          onName={setTypedName}
          loadOnStartup={loadOnStartup}
          onLoadOnStartup={setLoadOnStartup}
        />
      )}
      {/* Stays in the page until the call is made: what was typed is nowhere else. */}
      {asksPassphrase && (
        <div hidden={step !== 'passphrase'}>
          <PassphraseStep
            field={secret.field}
            name={name}
            encrypted={encrypted}
            lacking={secret.lacking}
            error={step === 'passphrase' ? error : null}
            file={file.inspecting}
            passphraseTry={passphraseTry}
            offline={node.offline}
            use="before-placing"
            zeroCheck={(tellsZeroByte && found?.checks.find(({ id }) => id === 'passphrase')) || null}
            onZeroByte={setZeroByte}
          />
        </div>
      )}
      {step === 'review' && (
        <ReviewStep
          way={way}
          node={node}
          facts={facts}
          inspection={inspection}
          path={path}
          name={name}
          verdict={verdict}
          loadOnStartup={loadOnStartup}
          withPassphrase={withPassphrase}
          wrongPassphrase={withPassphrase && isWrong(passphraseTry.trying)}
          hashing={hashing}
          checks={{ ...checks, lookAgain }}
          error={error}
        />
      )}
    </WizardFrame>
  );
}

function headingOf(step: FormStep, inOneGo: boolean): string {
  switch (step) {
    case 'backup':
      return say('Backup');
    case 'name':
      return inOneGo ? say('New name') : say('Name and options');
    case 'passphrase':
      return say('Passphrase');
    case 'review':
      return say('Review');
  }
}
