/** Looks into a wallet file, or that of a wallet of the node in use. Needs no node and changes nothing. */
import { Button, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { WalletSource } from '../../../shared/contract.ts';
import type { FileFacts } from '../../../shared/files.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { ChooseFile } from '../../elements/file/ChooseFile.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { PageHeading } from '../../elements/PageHeading.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Waiting } from '../../elements/Waiting.tsx';
import { useApp } from '../../state/appStore.ts';
import { foundBy } from '../../state/look.ts';
import { useInspection } from '../../state/useInspection.ts';
import { useLook } from '../../state/useLook.ts';
import styles from './Inspect.module.css';
import { InspectFound } from './InspectFound.tsx';

export function Inspect({ source }: { source: WalletSource | null }) {
  const go = useApp((state) => state.go);
  /** Counts what was asked for. The same file asked for once more is looked at anew: it may have changed. */
  const [asked, setAsked] = useState({ source, round: 0 });
  if (asked.source !== source) setAsked({ source, round: asked.round + 1 });
  const again = () => source && go({ at: 'inspect', source: { ...source } });

  return (
    <>
      <PageHeading title={say('Inspect a file')}>
        {say(
          'Shows what is in a wallet file on this computer. The file is only read, nothing in it is changed, and no node is needed.',
        )}
      </PageHeading>
      <ChooseFile
        purpose="wallet"
        chosen={source !== null}
        onPath={(path) => go({ at: 'inspect', source: { by: 'file', path } })}
      />
      {source?.by === 'file' && <InspectFile key={asked.round} path={source.path} onAgain={again} />}
      {source?.by === 'wallet' && (
        <InspectContents key={asked.round} source={source} facts={null} onAgain={again} />
      )}
    </>
  );
}

/** Says what a file is that is no wallet, before anything else is asked of it. */
function InspectFile({ path, onAgain }: { path: string; onAgain: () => void }) {
  const look = useLook('files.inspect', { path });
  if (look.state === 'looking') return <Waiting>{say('Looking at the file…')}</Waiting>;
  if (look.state === 'failed') {
    return (
      <div className={styles.body}>
        <ErrorNotice title={say('The file could not be looked at')} error={look.error}>
          <TryAgain onAgain={onAgain} />
        </ErrorNotice>
      </div>
    );
  }
  if (look.state === 'none') return null;
  const facts = look.found;
  if (facts.kind !== 'other') {
    return <InspectContents source={{ by: 'file', path }} facts={facts} onAgain={onAgain} />;
  }
  return (
    <div className={styles.body}>
      <Notice tone="read" role="status" title={say('This is not a Bitcoin Core wallet')}>
        <p>
          <Say
            text="By its content the file is: {description}. Nothing in it was changed."
            values={{ description: <SafeText text={facts.description} /> }}
          />
        </p>
        <p>
          <SafeText text={facts.path} mono />
        </p>
        <p>
          {say(
            'A wallet is mostly called wallet.dat, or ends in .dat or .bak. Where you expected one here, look for another copy of it.',
          )}
        </p>
      </Notice>
    </div>
  );
}

function TryAgain({ onAgain }: { onAgain: () => void }) {
  return (
    <Button size="compact-sm" variant="default" onClick={onAgain}>
      {say('Try again')}
    </Button>
  );
}

interface InspectContentsProps {
  source: WalletSource;
  /** Of a file that was chosen; null for that of a wallet of the node. */
  facts: FileFacts | null;
  onAgain: () => void;
}

function InspectContents({ source, facts, onAgain }: InspectContentsProps) {
  const [network, setNetwork] = useState<Network | null>(null);
  const inspecting = useInspection(source, network);
  const inspection = foundBy(inspecting);
  return (
    <div className={styles.body}>
      {inspecting.state === 'failed' && (
        <ErrorNotice title={say('The file could not be read as a wallet')} error={inspecting.error}>
          <TryAgain onAgain={onAgain} />
        </ErrorNotice>
      )}
      {inspecting.state === 'looking' && (
        <Waiting onCancel={inspecting.cancel}>{say('Reading the wallet…')}</Waiting>
      )}
      <div role="status">
        {inspecting.state === 'known' && <VisuallyHidden>{say('The file was read.')}</VisuallyHidden>}
      </div>
      {inspection && (
        <InspectFound
          source={source}
          facts={facts}
          inspection={inspection}
          network={network}
          onNetwork={setNetwork}
        />
      )}
    </div>
  );
}
