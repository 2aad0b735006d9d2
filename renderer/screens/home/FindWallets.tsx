/** A search of this computer for wallet files: where to look, how far it is, and a card for each hit. */
import { Checkbox } from '@mantine/core';
import { useId, useState } from 'react';
import type { FileFacts, SearchPlace } from '../../../shared/model/files.ts';
import { type Inspection, mainBalance } from '../../../shared/model/inspection.ts';
import { balanceWords } from '../../../shared/wording/balanceWords.ts';
import { coinName } from '../../../shared/wording/findings/coinWords.ts';
import { formatDay } from '../../../shared/wording/format/formatTime.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { say } from '../../../shared/wording/say.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { ActionButton, SmallButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { ShowMore } from '../../components/list/PagedList.tsx';
import { Section } from '../../components/Section.tsx';
import { Tag } from '../../components/Tag.tsx';
import { Quiet, SafeText } from '../../components/text/texts.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { openFile } from '../../state/appStore.ts';
import { pickFile } from '../../state/filePicker.ts';
import { useSearch } from '../../state/searchStore.ts';
import { foundBy, useLook } from '../../state/useLook.ts';
import styles from './Home.module.css';

export function FindWallets() {
  const usual = foundBy(useLook('files.places', {}))?.places ?? [];
  const [added, setAdded] = useState<readonly SearchPlace[]>([]);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { state, start, stop } = useSearch();
  const places = [...usual, ...added];
  const chosen = places.filter(({ path }) => !left.has(path));
  const isRunning = state === 'running';

  async function add() {
    const path = await pickFile({ purpose: 'search-folder' });
    if (path !== null && !places.some((one) => one.path === path))
      setAdded([...added, { path, kind: 'other' }]);
  }

  function choose(path: string, isChosen: boolean) {
    const others = [...left].filter((one) => one !== path);
    setLeft(new Set(isChosen ? others : [...others, path]));
  }

  return (
    <Section title={say('Find wallets')}>
      <div className={`${layout.card} ${layout.apart}`}>
        <fieldset className={styles.places} disabled={isRunning}>
          <legend className={layout.name}>{say('Where to look')}</legend>
          {places.map(({ path, kind }) => (
            <Checkbox
              key={path}
              label={<SafeText text={path} mono />}
              description={KINDS[kind]}
              checked={!left.has(path)}
              onChange={(event) => choose(path, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
        <div className={layout.row}>
          <ActionButton
            busy={isRunning}
            blocked={chosen.length === 0}
            onClick={() => void start(chosen.map(({ path }) => path))}
          >
            {say('Search')}
          </ActionButton>
          <ActionButton variant="default" blocked={isRunning} onClick={() => void add()}>
            {say('Add a folder…')}
          </ActionButton>
          {isRunning && <SmallButton onClick={stop}>{say('Stop the search')}</SmallButton>}
        </div>
        <Progress />
      </div>
      <Hits />
    </Section>
  );
}

const KINDS: Readonly<Record<SearchPlace['kind'], string>> = {
  node: say('Bitcoin Core’s data folder'),
  home: say('Your home folder'),
  disk: say('Disk'),
  other: say('Added by you'),
};

function Progress() {
  const { state, error, looked, folder, found, unread } = useSearch();
  if (state === 'none') return null;
  const searched = say('{looked, plural, one {# file} other {# files}} searched.', { looked });
  if (state === 'running') {
    return (
      <div>
        <Waiting>{say('Searching…')}</Waiting>
        {/* Apart from the status: a screen reader would read every number out. */}
        <Quiet small>{searched}</Quiet>
        <Quiet small>
          <SafeText text={folder} mono truncate />
        </Quiet>
      </div>
    );
  }
  if (error) return <ErrorNotice error={error} title={say('The search stopped')} />;
  if (state === 'stopped') {
    return (
      <Quiet small>{say('Stopped after {looked, plural, one {# file} other {# files}}.', { looked })}</Quiet>
    );
  }
  return (
    <Quiet small>
      {found.length === 0
        ? say(
            'No wallet in {looked, plural, one {# file} other {# files}}. Connect old disks and search again, or open an image of one.',
            { looked },
          )
        : searched}{' '}
      {unread > 0 && say('{unread, plural, one {# could} other {# could}} not be read.', { unread })}
    </Quiet>
  );
}

const PAGE = 24;

/** Bitcoin's wallets, then those of other coins. */
function Hits() {
  const { found, contents } = useSearch();
  const [shown, setShown] = useState(PAGE);
  if (found.length === 0) return null;
  const isOther = ({ path }: FileFacts) => contents.get(path)?.coin.verdict === 'other';
  const own = found
    .filter((file) => !isOther(file))
    .toSorted((one, other) => amountIn(contents.get(other.path)) - amountIn(contents.get(one.path)));
  const others = found.filter(isOther);
  return (
    <>
      <ul className={styles.hits} aria-label={say('Wallets found')}>
        {own.slice(0, shown).map((file) => (
          <Hit key={file.path} file={file} inspection={contents.get(file.path)} />
        ))}
      </ul>
      <ShowMore shown={shown} all={own.length} page={PAGE} onShow={setShown} />
      {others.length > 0 && (
        <>
          <p className={layout.name}>{say('Not bitcoin')}</p>
          <ul className={styles.hits} aria-label={say('Not bitcoin')}>
            {others.map((file) => (
              <Hit key={file.path} file={file} inspection={contents.get(file.path)} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** In satoshi, to sort by. What is not read yet comes last. */
function amountIn(inspection: Inspection | null | undefined): number {
  return inspection ? Number(mainBalance(inspection).total) : -1;
}

interface HitProps {
  file: FileFacts;
  /** Undefined until it is read; null if it cannot be read. */
  inspection: Inspection | null | undefined;
}

function Hit({ file: { path, kind, name, folder, modified }, inspection }: HitProps) {
  const id = useId();
  const isOther = inspection?.coin.verdict === 'other';
  const newest = inspection?.balance.newestTransaction ?? null;
  const network = inspection?.network.name ?? 'unknown';
  const isLegacy = (inspection?.kind ?? (kind === 'legacy-wallet' ? 'legacy' : 'descriptor')) === 'legacy';
  return (
    <li className={styles.hit} data-other={isOther || undefined} aria-labelledby={id}>
      <span className={styles.balance}>
        {inspection === undefined
          ? say('Reading…')
          : inspection === null
            ? say('Not readable')
            : isOther
              ? coinName(inspection.coin)
              : (balanceWords(inspection).total ?? say('Balance not known'))}
      </span>
      <span className={layout.small}>
        {newest === null
          ? say('changed {day}', { day: formatDay(modified) })
          : say('last used {day}', { day: formatDay(newest) })}
      </span>
      <span className={layout.line}>
        {!isOther && <Tag>{isLegacy ? say('Legacy') : say('Descriptor')}</Tag>}
        {!isOther && network !== 'unknown' && <Tag>{networkName(network)}</Tag>}
        {inspection?.encryption && <Tag>{say('Encrypted')}</Tag>}
      </span>
      <span id={id} className={layout.name}>
        <SafeText text={name} />
      </span>
      <span className={layout.small}>
        <SafeText text={folder} mono />
      </span>
      <div className={layout.row}>
        <SmallButton describedBy={id} onClick={() => openFile(path)}>
          {say('Open')}
        </SmallButton>
      </div>
    </li>
  );
}
