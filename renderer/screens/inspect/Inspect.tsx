/** Looks into a wallet file, or that of a wallet of the node in use. Needs no node and changes nothing. */
import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { WalletSource } from '../../../shared/contract.ts';
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import type { FileFacts } from '../../../shared/model/files.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import type { Network } from '../../../shared/model/network.ts';
import { fileKindAdvice, fileKindText } from '../../../shared/wording/findings/fileKindWords.ts';
import { UNCHECKED } from '../../../shared/wording/rescueWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { ActionButton, SmallButton } from '../../components/input/ActionButton.tsx';
import { CopyText } from '../../components/input/CopyButton.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/Notice.tsx';
import { PageHeading } from '../../components/PageHeading.tsx';
import { SafeText, Say } from '../../components/text/texts.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { go, type Place } from '../../state/appStore.ts';
import { foundBy, type Look, useLook } from '../../state/useLook.ts';
import { InterruptedSource } from '../job/result/Interrupted.tsx';
import { ChooseFile } from '../start/ChooseFile.tsx';
import { useOpenKeys } from '../start/PasteKeys.tsx';
import { SearchComputer } from '../start/SearchComputer.tsx';
import { InspectFound } from './InspectFound.tsx';
import { SearchImage } from './SearchImage.tsx';

type InspectPlace = Extract<Place, { at: 'inspect' }>;

export function Inspect({ place }: { place: InspectPlace }) {
  const { source, searched, unchecked } = place;
  /** Counts what was asked for. The same file asked for once more is looked at anew: it may have changed. */
  const [asked, setAsked] = useState({ place, round: 0 });
  if (asked.place !== place) setAsked({ place, round: asked.round + 1 });
  const again = () => go({ ...place });
  const path = source.by === 'file' ? source.path : null;
  const look = useLook('files.inspect', path === null ? null : { path }, { turn: asked.round });
  const facts = foundBy(look);

  return (
    <>
      {/* Another file is another place: what had the focus is gone with the last one. */}
      <PageHeading
        key={`heading ${asked.round}`}
        title={facts?.temporary ? visibleText(facts.name) : say('Wallet file')}
      >
        {say('Only read. No node is needed.')}
      </PageHeading>
      <div className={layout.page}>
        {unchecked && (
          <Notice tone="read" role="status" title={UNCHECKED.title}>
            {UNCHECKED.hint}
          </Notice>
        )}
        {path === null ? (
          <InspectContents key={asked.round} source={source} facts={null} told={null} onAgain={again} />
        ) : (
          <InspectFile key={asked.round} path={path} look={look} searched={searched} onAgain={again} />
        )}
      </div>
    </>
  );
}

interface InspectFileProps {
  path: string;
  look: Look<FileFacts>;
  searched: InspectPlace['searched'];
  onAgain: () => void;
}

/** Says what a file is that is no wallet, before anything else is asked of it. */
function InspectFile({ path, look, searched, onAgain }: InspectFileProps) {
  const { busy, error, open } = useOpenKeys();
  if (look.state === 'looking') return <Waiting>{say('Reading the file…')}</Waiting>;
  const facts = foundBy(look);
  const advice = facts && fileKindAdvice(facts.fileKind);
  if (facts && (facts.kind !== 'other' || searched !== undefined)) {
    return (
      <InspectContents
        source={{ by: 'file', path }}
        facts={facts}
        told={searched?.network ?? null}
        onAgain={onAgain}
      />
    );
  }
  return (
    <>
      {look.state === 'failed' && <Unreadable error={look.error} onAgain={onAgain} />}
      {look.state === 'failed' && look.error.code === 'not_a_file' && <SearchImage path={path} />}
      {facts && <InterruptedSource source={{ by: 'file', path }} />}
      {facts && (
        <Notice tone="read" role="status" title={say('Not recognised as a Bitcoin Core wallet')}>
          <p>
            <Say
              text="By its content it is: {description}."
              values={{ description: <SafeText text={fileKindText(facts.fileKind)} /> }}
            />
          </p>
          <p>
            <CopyText text={facts.path} />
          </p>
          {advice !== null && <p>{advice}</p>}
          <div className={layout.row}>
            <ChooseFile />
            <SearchComputer />
            <ActionButton variant="default" busy={busy} onClick={() => void open({ by: 'file', path })}>
              {say('Search it for keys')}
            </ActionButton>
          </div>
          {error && <ErrorNotice error={error} />}
        </Notice>
      )}
      {facts && <SearchImage path={path} />}
    </>
  );
}

function Unreadable({ error, onAgain }: { error: AppErrorShape; onAgain: () => void }) {
  // It was read, and another try would tell the same.
  if (error.code === 'not_a_wallet') {
    return (
      <ErrorNotice error={error}>
        <ChooseFile />
      </ErrorNotice>
    );
  }
  return (
    <ErrorNotice title={say('The file could not be read')} error={error}>
      <SmallButton onClick={onAgain}>{say('Try again')}</SmallButton>
    </ErrorNotice>
  );
}

interface InspectContentsProps {
  source: WalletSource;
  /** Of a file that was chosen; null for that of a wallet of the node. */
  facts: FileFacts | null;
  /** The network that its keys tell, where it is no wallet. */
  told: Network | null;
  onAgain: () => void;
}

function InspectContents({ source, facts, told, onAgain }: InspectContentsProps) {
  const [network, setNetwork] = useState<Network | null>(told);
  // What the same file told when another network was expected stays in sight.
  const inspecting = useLook(
    'wallet.inspect',
    {
      source,
      ...(network === null ? {} : { network }),
      ...(facts?.kind === 'other' ? { rescue: true } : {}),
    },
    { of: JSON.stringify(source) },
  );
  const found = foundBy(inspecting);
  // Keys of test networks do not tell which one.
  const isOfKeys = told === 'main' && network === told && found?.network.from === 'asked';
  const inspection =
    found && isOfKeys ? { ...found, network: { ...found.network, from: 'keys' as const } } : found;
  return (
    <>
      {inspecting.state === 'failed' && <Unreadable error={inspecting.error} onAgain={onAgain} />}
      {inspecting.state === 'failed' && facts?.kind === 'other' && <SearchImage path={facts.path} />}
      {inspecting.state === 'looking' && (
        <Waiting onCancel={inspecting.cancel}>{say('Reading the file…')}</Waiting>
      )}
      <VisuallyHidden role="status">
        {inspecting.state === 'known' && say('The file was read.')}
      </VisuallyHidden>
      {inspection && (
        <InspectFound
          source={source}
          facts={facts}
          inspection={inspection}
          network={network}
          onNetwork={setNetwork}
        />
      )}
    </>
  );
}
