/** A search of this computer for wallet files: where to look, how far it is, and a card for each hit. */
import { Box, Checkbox } from '@mantine/core';
import { Fragment, useEffect, useId, useRef, useState } from 'react';
import { type FileFacts, leftByJob, type SearchPlace } from '../../../shared/model/files.ts';
import { mainBalance } from '../../../shared/model/inspection.ts';
import { balanceWords } from '../../../shared/wording/balanceWords.ts';
import { coinName, fileKindText } from '../../../shared/wording/findings/fileKindWords.ts';
import { formatDay } from '../../../shared/wording/format/formatTime.ts';
import { KIND_NAMES, networkName } from '../../../shared/wording/format/names.ts';
import { amountNetwork, mayMissEntries } from '../../../shared/wording/inspectionWords.ts';
import { COPY_NAMES, NOT_IN_USE } from '../../../shared/wording/interruptionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { forgeryWords } from '../../../shared/wording/verdictWords.ts';
import { ActionButton, SmallButton, Waiting } from '../../components/buttons.tsx';
import { ShowMore } from '../../components/lists.tsx';
import { Disclosure, ErrorNotice, Section, Tag } from '../../components/parts.tsx';
import { Quiet, SafeText } from '../../components/texts.tsx';
import { openFile } from '../../state/appStore.ts';
import { foundIn, useRequest } from '../../state/asking.ts';
import { pickFile } from '../../state/filePicker.ts';
import {
  addFolder,
  type FoundContents,
  setTicks,
  startSearch,
  stopSearch,
  tickedOf,
  useSearch,
} from '../../state/searchStore.ts';
import styles from './Home.module.css';

export function FindWallets() {
  const look = useRequest('files.places', {});
  const usual = foundIn(look)?.places ?? [];
  const { state, added, ticks, othersTicked, found } = useSearch();
  const own = added.filter((path) => !usual.some((one) => one.path === path));
  const places: SearchPlace[] = [...usual, ...own.map((path) => ({ path, kind: 'other' as const }))];
  const paths = places.map(({ path }) => path);
  const chosen = tickedOf(places, { ticks, othersTicked });
  const isRunning = state === 'running';
  const hasBegun = state !== 'none';

  async function add() {
    const path = await pickFile({ purpose: 'search-folder' });
    if (path !== null) addFolder(path);
  }

  // Shown before its places, the form would have a button that does nothing yet.
  if (look.state === 'looking') return <Waiting>{say('Reading…')}</Waiting>;
  return (
    <Section title={say('Find wallets')}>
      <div className="card">
        {look.state === 'failed' && <ErrorNotice error={look.error} />}
        {/* Folded once a search began, so that what it finds is in sight. */}
        <Disclosure key={String(hasBegun)} summary={say('Where to look')} startsOpen={!hasBegun}>
          <Checkbox.Group
            aria-label={say('Where to look')}
            value={chosen}
            onChange={(now) => setTicks(paths, now)}
          >
            <div className="stack">
              {places.map(({ path, kind }) => (
                <Checkbox
                  key={path}
                  value={path}
                  label={<SafeText text={path} mono home={kind !== 'home'} />}
                  description={KINDS[kind]}
                  disabled={isRunning}
                />
              ))}
            </div>
          </Checkbox.Group>
        </Disclosure>
        <div className="row">
          <ActionButton
            // The first hit has the filled button then.
            variant={found.length > 0 ? 'default' : 'filled'}
            busy={isRunning}
            blocked={chosen.length === 0}
            onClick={() => void startSearch(chosen)}
          >
            {say('Search')}
          </ActionButton>
          <ActionButton variant="default" blocked={isRunning} onClick={() => void add()}>
            {say('Add a folder…')}
          </ActionButton>
          {isRunning && <SmallButton onClick={stopSearch}>{say('Stop')}</SmallButton>}
        </div>
        <Progress />
      </div>
      <Hits />
    </Section>
  );
}

const KINDS: Readonly<Record<SearchPlace['kind'], string>> = {
  node: say('Bitcoin Core’s data folder'),
  home: say('Home'),
  disk: say('Disk'),
  system: say('This computer'),
  other: say('Added'),
};

function Progress() {
  const { state, error, filesRead, folder, found, unread, unreadable } = useSearch();
  if (state === 'none') return null;
  if (error) return <ErrorNotice error={error} title={say('The search stopped')} />;
  return (
    <div>
      {state === 'running' && <Waiting>{say('Searching…')}</Waiting>}
      {/* Apart from the status: a screen reader would read every number out. */}
      <Quiet small>
        <span role="status">
          {state === 'done' && found.length === 0 && say('No wallet found. Tick more, or connect old disks.')}
        </span>{' '}
        {say('Files searched: {count, number}.', { count: filesRead })}{' '}
        {unread > 0 && say('Not readable: {unread, number}.', { unread })}
      </Quiet>
      {(state === 'running' ? [folder] : unreadable).map((path) => (
        <SafeText key={path} text={path} mono home truncate />
      ))}
    </div>
  );
}

const PAGE = 24;

export function Hits() {
  const { found, contents } = useSearch();
  const [shown, setShown] = useState(PAGE);
  const list = useRef<HTMLUListElement>(null);
  const hasHits = found.length > 0;
  const hadHits = useRef(hasHits);
  useEffect(() => {
    if (hasHits && !hadHits.current) list.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
    hadHits.current = hasHits;
  }, [hasHits]);
  if (!hasHits) return null;
  const sorted = found.toSorted((one, other) => byWorth(contents.get(one.path), contents.get(other.path)));
  const of = (group: ReturnType<typeof groupOf>) =>
    sorted.filter((file) => groupOf(file, contents.get(file.path)) === group);
  const own = of('own');
  const copies = of('copies');
  // All that is left of a broken disk's wallets may be copies.
  const first = own[0] ?? copies[0];
  const cards = (files: readonly FileFacts[]) =>
    files.map((file) => (
      <Hit key={file.path} file={file} inspection={contents.get(file.path)} isFirst={file === first} />
    ));
  const beside = [
    { title: say('The copies'), files: copies },
    { title: say('Not bitcoin'), files: of('others') },
  ];
  return (
    <>
      {own.length > 0 && (
        <ul ref={list} className={styles.hits} aria-label={say('Wallets found')}>
          {cards(own.slice(0, shown))}
        </ul>
      )}
      <ShowMore count={shown} all={own.length} page={PAGE} onShow={setShown} />
      {beside.map(
        ({ title, files }) =>
          files.length > 0 && (
            <Fragment key={title}>
              <p className="name">{title}</p>
              <ul className={styles.hits} data-beside aria-label={title}>
                {cards(files)}
              </ul>
            </Fragment>
          ),
      )}
    </>
  );
}

/** The user's own wallets, what jobs left, and other coins. */
function groupOf({ path }: FileFacts, found: Contents): 'own' | 'copies' | 'others' {
  if (found?.coin.verdict === 'other') return 'others';
  return leftByJob(path) === null ? 'own' : 'copies';
}

type Contents = FoundContents | null | undefined;

/** Bitcoin first, before test coins and fake wallets, then the larger amount. What is not read yet comes last. */
export function byWorth(one: Contents, other: Contents): number {
  const isBitcoin = (found: Contents) =>
    found ? amountNetwork(found.network) === 'main' && forgeryWords(found) === null : false;
  const amount = (found: Contents) => (found ? Number(mainBalance(found).total) : -1);
  return Number(isBitcoin(other)) - Number(isBitcoin(one)) || amount(other) - amount(one);
}

interface HitProps {
  file: FileFacts;
  /** Undefined until it is read; null if it cannot be read. */
  inspection: Contents;
  isFirst: boolean;
}

function Hit({ file: { path, kind, fileKind, name, modified }, inspection, isFirst }: HitProps) {
  const id = useId();
  const isOther = inspection?.coin.verdict === 'other';
  const left = leftByJob(path);
  const forgery = inspection ? forgeryWords(inspection) : null;
  const newest = inspection?.balance.newestTransaction ?? null;
  const network = inspection?.network.name ?? 'unknown';
  const isLegacy = (inspection?.kind ?? (kind === 'legacy-wallet' ? 'legacy' : 'descriptor')) === 'legacy';
  return (
    <li className="card" aria-labelledby={id}>
      <Box fz="xl" fw={650} className="numbers">
        {inspection === undefined
          ? say('Reading…')
          : inspection === null
            ? say('Not readable')
            : isOther
              ? coinName(inspection.coin)
              : (forgery ?? balanceWords(inspection).total ?? say('Balance not known'))}
      </Box>
      <span className="small">
        {newest === null
          ? say('changed {day}', { day: formatDay(modified) })
          : say('last used {day}', { day: formatDay(newest) })}
      </span>
      <span className="line">
        {kind === 'other' && <Tag tone="read">{fileKindText(fileKind)}</Tag>}
        {kind !== 'other' && !isOther && <Tag>{KIND_NAMES[isLegacy ? 'legacy' : 'descriptor']}</Tag>}
        {!isOther && network !== 'unknown' && <Tag>{networkName(network)}</Tag>}
        {inspection && !isOther && mainBalance(inspection).onlyWatches && <Tag>{say('Watch-only')}</Tag>}
        {inspection?.encryption && <Tag>{say('Encrypted')}</Tag>}
        {left !== null && <Tag>{LEFT[left]}</Tag>}
        {inspection && inspection.incomplete !== null && <Tag tone="read">{say('Interrupted')}</Tag>}
        {inspection && mayMissEntries(inspection) && <Tag tone="read">{say('Damaged')}</Tag>}
      </span>
      <strong id={id}>
        <SafeText text={name} />
      </strong>
      <span className="small">
        <SafeText text={path} mono home />
      </span>
      <SmallButton variant={isFirst ? 'filled' : 'default'} describedBy={id} onClick={() => openFile(path)}>
        {say('Open')}
      </SmallButton>
    </li>
  );
}

const LEFT = { ...COPY_NAMES, interrupted: NOT_IN_USE } as const;
