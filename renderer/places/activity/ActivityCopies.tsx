/** The app's own copies of wallets: where they lie, and the way to bring one back. */
import { Title } from '@mantine/core';
import { useId } from 'react';
import { networkName } from '../../../shared/networkName.ts';
import type { SafetyCopy } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { visibleText } from '../../../shared/text/visibleText.ts';
import { formatTime } from '../../../shared/words/format/formatTime.ts';
import { SafetyCopyLines } from '../../crossing/result/SafetyCopyLines.tsx';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { List } from '../../elements/list/List.tsx';
import { Section } from '../../elements/Section.tsx';
import { SafeText, WalletName } from '../../elements/text/texts.tsx';
import { usePlans } from '../../state/plansStore.ts';
import { foundBy, useLook } from '../../state/useLook.ts';

/** `since` changes when another copy may have been made. */
export function ActivityCopies({ since }: { since: number }) {
  const copies = foundBy(useLook('copies.list', {}, { turn: since }))?.copies ?? [];
  if (copies.length === 0) return null;
  return (
    <Section title={say('Safety copies')}>
      <p>{say('Made before each migration. The app never removes one.')}</p>
      <List look="cards" label={say('Safety copies')}>
        {copies.map((copy) => (
          <li key={copy.id}>
            <Copy copy={copy} />
          </li>
        ))}
      </List>
    </Section>
  );
}

function Copy({ copy }: { copy: SafetyCopy }) {
  const id = useId();
  const [own] = copy.files;
  return (
    <article className={layout.apart} aria-labelledby={id}>
      <div className={layout.pair}>
        <Title order={3} id={id}>
          <WalletName name={copy.wallet} />
        </Title>
        <span>
          {formatTime(copy.made)}, <SafeText text={copy.node.label} />, {networkName(copy.node.network)}
        </span>
      </div>
      <SafetyCopyLines
        copy={copy}
        action={(file) => (
          <Restore
            file={file}
            name={file.wallet ?? (file === own ? copy.wallet : '')}
            isOwn={file === own}
            titleId={id}
          />
        )}
      />
    </article>
  );
}

interface RestoreProps {
  file: SafetyCopy['files'][number];
  /** Empty where it is not known, or the wallet has none. */
  name: string;
  /** Whether it is of the wallet that the title names. */
  isOwn: boolean;
  titleId: string;
}

/** Renders nothing for a file on the node's machine. */
function Restore({ file: { path, sha256 }, name, isOwn, titleId }: RestoreProps) {
  if (sha256 === null) return null;
  const suggested = name === '' ? {} : { suggestedName: name };
  return (
    <SmallButton
      aria-label={isOwn || name === '' ? undefined : say('Restore “{wallet}”', { wallet: visibleText(name) })}
      describedBy={titleId}
      onClick={() =>
        usePlans.getState().begin([{ wanted: 'restore', source: { by: 'file', path }, ...suggested }])
      }
    >
      {say('Restore')}
    </SmallButton>
  );
}
