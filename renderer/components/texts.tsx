/** Texts as elements: untrusted ones, ones with elements inside, names, and the glossary with its terms. */
import { Popover, UnstyledButton } from '@mantine/core';
import { type ClipboardEvent, createElement, Fragment, type ReactNode } from 'react';
import type { Job } from '../../shared/model/job.ts';
import { type TextPart, visibleParts, visibleText } from '../../shared/model/names/visibleText.ts';
import { networkName, UNNAMED, withTilde } from '../../shared/wording/format/names.ts';
import { say, sayParts } from '../../shared/wording/say.ts';

interface SafeTextProps {
  text: string;
  mono?: boolean;
  /** Cuts the text to one line, with the whole text as title: for labels. `middle` keeps the end, where names may differ. */
  truncate?: boolean | 'middle' | undefined;
  /** Keeps line ends instead of escaping them: for the node's messages, not for names and paths. */
  lines?: boolean;
  /** Escapes unusual spaces: for names. */
  spaces?: boolean;
  /** Shows the home folder as `~`: for paths of this computer, and messages with some. A copy of it all has the paths in full. */
  home?: boolean;
}

/** Untrusted text (names, paths, the node's messages), shown so that it cannot deceive or break the page. */
export function SafeText(props: SafeTextProps) {
  const { text, mono = false, truncate = false, lines = false, spaces = false, home = false } = props;
  const display = home ? withTilde(text) : text;
  const end = truncate === 'middle' ? endOf(display) : '';
  const cut = truncate && (end === '' ? 'truncate' : 'middle');
  const parts = visibleParts(display, { lines, spaces });
  const cutAt = display.length - end.length;
  const draw = (pieces: readonly TextPart[]) =>
    pieces.map((part) =>
      part.escaped ? (
        <span key={part.at} className="escape">
          {part.text}
        </span>
      ) : (
        wholeOptions(part.text)
      ),
    );
  return (
    <bdi
      dir={PATH.test(display) ? 'ltr' : undefined}
      className={['text', mono && 'mono', cut].filter(Boolean).join(' ')}
      title={truncate || display !== text ? visibleText(text, { spaces }) : undefined}
      // Else screen readers would say its two pieces as two words.
      {...(end !== '' && { role: 'img', 'aria-label': visibleText(text, { spaces }) })}
      onCopy={display === text ? undefined : (event) => copyInFull(event, display, text)}
    >
      {end === '' ? (
        draw(parts)
      ) : (
        <>
          <span>{draw(parts.flatMap((part) => pieceOf(part, 0, cutAt)))}</span>
          <span>{draw(parts.flatMap((part) => pieceOf(part, cutAt, display.length)))}</span>
        </>
      )}
    </bdi>
  );
}

/** The start of a full path, which a name written from right to left may follow. */
const PATH = /^(?:~?[/\\]|[A-Za-z]:[/\\])/;

/** What lies between two offsets of the text. An escaped character stays whole. */
function pieceOf(part: TextPart, from: number, to: number): TextPart[] {
  if (part.escaped) return part.at >= from && part.at < to ? [part] : [];
  const text = part.text.slice(Math.max(0, from - part.at), Math.max(0, to - part.at));
  return text === '' ? [] : [{ ...part, text }];
}

/** The last letters of a text that may be too long for its line; empty for a shorter one. */
function endOf(text: string): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return letters.length > 2 * END_LETTERS ? letters.slice(-END_LETTERS).join('') : '';
}

/** As many as `_watchonly` and `(migrated)` have. */
const END_LETTERS = 10;

/** Keeps an option of Bitcoin Core, such as `-server=1`, from a line break behind its hyphen. */
function wholeOptions(text: string): ReactNode {
  if (!text.includes(' -')) return text;
  return text.split(/(?<= )(-[a-z]+(?:=\w+)?)/).map((piece, at) =>
    at % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text keep their places
      <span key={at} className="option">
        {piece}
      </span>
    ),
  );
}

function copyInFull(event: ClipboardEvent, display: string, text: string): void {
  if (window.getSelection()?.toString().trim() !== display) return;
  event.clipboardData.setData('text/plain', text);
  event.preventDefault();
}

interface SayProps {
  /** As for `say`: `{name}` is replaced by the value of that name. */
  text: string;
  values: Readonly<Record<string, ReactNode>>;
}

/** A translated text with elements inside. */
export function Say({ text, values }: SayProps) {
  // As children, not as a list, because their order is fixed and needs no keys.
  return createElement(Fragment, null, ...sayParts<ReactNode>(text, values));
}

/** A paragraph of untrusted text. */
export function Paragraph({ text, quiet = false }: { text: string; quiet?: boolean }) {
  return (
    <p className={quiet ? 'small' : undefined}>
      <SafeText text={text} lines home />
    </p>
  );
}

/** A paragraph in a quieter colour. */
export function Quiet({ small = false, children }: { small?: boolean; children: ReactNode }) {
  return <p className={small ? 'small' : 'dim'}>{children}</p>;
}

/** Screen readers speak what appears in it. It has no box of its own in the layout. */
export function Spoken({ children }: { children: ReactNode }) {
  return (
    <div role="status" style={{ display: 'contents' }}>
      {children}
    </div>
  );
}

interface TermProps {
  word: GlossaryTerm;
  /** Its form in the sentence, if other than in the glossary: "rescanned". */
  children?: ReactNode;
}

/** A term of the glossary. A click, a tap or a key shows its meaning. */
export function Term({ word, children }: TermProps) {
  const [name, meaning] = glossary[word];
  return (
    <Popover width="min(320px, 90vw)" position="bottom" shadow="md" withRoles={false}>
      <Popover.Target>
        <UnstyledButton className="term" aria-haspopup="true">
          {children ?? name}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown fz="sm" lh={1.5}>
        <span role="status">{meaning}</span>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The place of its file, shown next to its name. */
export const UNNAMED_HINT = say('wallet.dat in the wallets folder');

export function WalletName({ name }: { name: string }) {
  if (name === '') return <span title={UNNAMED_HINT}>{UNNAMED}</span>;
  return <SafeText text={name} spaces />;
}

/** The node in one line. The offline engine's label says that there is no node. */
export function NodeLine({ node: { label, network, release, offline } }: { node: Job['node'] }) {
  if (offline) return `${label}, ${networkName(network)}`;
  return (
    <Say
      text="{node}, {network}, release {release}"
      values={{ node: <SafeText text={label} />, network: networkName(network), release }}
    />
  );
}

/** Each term as it reads within a sentence, and its meaning. */
export const glossary = {
  'legacy wallet': [
    say('legacy wallet'),
    say('The older kind (Berkeley DB). Bitcoin Core 30 needs it migrated.'),
  ],
  'descriptor wallet': [say('descriptor wallet'), say('The current kind (SQLite).')],
  passphrase: [say('passphrase'), say('Unlocks an encrypted wallet. Without it, the coins are lost.')],
  migration: [say('migration'), say('Turns a legacy wallet into descriptor wallets, after a backup.')],
  rescan: [say('rescan'), say('The node searches the block chain for the wallet’s transactions.')],
  pruned: [say('pruned'), say('Without old blocks: rescans reach only newer ones.')],
  'block filters': [
    say('block filters'),
    say('An index (-blockfilterindex=1) for fast rescans of descriptor wallets.'),
  ],
  'watch-only': [say('watch-only'), say('It watches coins and cannot spend them.')],
  solvable: [say('solvable'), say('Scripts you can sign for but did not watch.')],
  seed: [say('seed'), say('The number all keys come from. Its backup covers later keys.')],
  descriptor: [say('descriptor'), say('Text that describes addresses and their keys.')],
  'cookie file': [say('cookie file'), say('The node’s password file (.cookie).')],
  'offline engine': [say('offline engine'), say('Does a node’s work without a network.')],
  'safety copy': [say('safety copy'), say('The app’s copy from before a migration, never removed.')],
  rehearsal: [say('rehearsal'), say('A migration tried in memory. Nothing is kept.')],
  'unnamed wallet': [say('unnamed wallet'), say('wallet.dat in the wallets folder')],
  'SHA-256': [say('SHA-256'), say('A fingerprint. Equal ones mean identical files.')],
} satisfies Record<string, readonly [name: string, meaning: string]>;

export type GlossaryTerm = keyof typeof glossary;
