/** Texts as elements: those that others chose, those with elements in them, names, and terms of the field. */
import { Popover, UnstyledButton } from '@mantine/core';
import { createElement, Fragment, type ReactNode } from 'react';
import { visibleParts, visibleText } from '../../shared/model/names/visibleText.ts';
import type { Network } from '../../shared/model/network.ts';
import { networkName } from '../../shared/wording/format/networkName.ts';
import { UNNAMED } from '../../shared/wording/format/walletLabel.ts';
import { say, sayParts } from '../../shared/wording/say.ts';
import { type GlossaryTerm, glossary } from './glossary.ts';
import layout from './layout.module.css';
import styles from './texts.module.css';

interface SafeTextProps {
  text: string;
  mono?: boolean;
  /** One line that ends in an ellipsis, whole in its title: for labels. */
  truncate?: boolean;
  /** Line ends are kept, else they are shown as escapes: for words of the node, not for names and paths. */
  lines?: boolean;
  /** Odd spaces are shown as escapes: for names. */
  spaces?: boolean;
}

/** Text that others chose (names, paths, words of the node), shown so that it cannot deceive or break the page. */
export function SafeText({
  text,
  mono = false,
  truncate = false,
  lines = false,
  spaces = false,
}: SafeTextProps) {
  const className = [styles.text, mono && styles.mono, truncate && styles.truncate].filter(Boolean).join(' ');
  return (
    <bdi className={className} title={truncate ? visibleText(text, { spaces }) : undefined}>
      {visibleParts(text, { lines, spaces }).map((part) =>
        part.escaped ? (
          <span key={part.at} className={styles.escape}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

interface SayProps {
  /** As for `say`: `{name}` is where the value of that name stands. */
  text: string;
  values: Readonly<Record<string, ReactNode>>;
}

/** A text with elements in it, in the language the app speaks. */
export function Say({ text, values }: SayProps) {
  // As children, not as a list: their order is that of the text and needs no keys.
  return createElement(Fragment, null, ...sayParts<ReactNode>(text, values));
}

/** A paragraph that matters less than those around it. */
export function Quiet({ small = false, children }: { small?: boolean; children: ReactNode }) {
  return <p className={small ? layout.small : layout.dim}>{children}</p>;
}

/** What comes into it is spoken by screen readers. It stands in the page as if nothing were around it. */
export function Spoken({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={layout.spoken} data-spoken>
      {children}
    </div>
  );
}

interface TermProps {
  word: GlossaryTerm;
  /** How it reads in its sentence, when not as in the glossary: "rescanned". */
  children?: ReactNode;
}

/** A term of the field with its meaning behind a click, a tap or a key. */
export function Term({ word, children }: TermProps) {
  const [name, meaning] = glossary[word];
  return (
    <Popover width="min(320px, 90vw)" position="bottom" shadow="md" withRoles={false}>
      <Popover.Target>
        <UnstyledButton className={styles.term} aria-haspopup="true">
          {children ?? name}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown fz="sm" lh={1.5}>
        <span role="status">{meaning}</span>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Where its file lies, for beside its name. */
export const UNNAMED_HINT = say('wallet.dat in the wallets folder');

export function WalletName({ name }: { name: string }) {
  if (name === '') return <span title={UNNAMED_HINT}>{UNNAMED}</span>;
  return <SafeText text={name} spaces />;
}

/** Which node it is, in a line. `release`: "28.1". */
export function NodeLine({ node }: { node: { label: string; network: Network; release: string } }) {
  const { label, network, release } = node;
  return (
    <Say
      text="{node}, {network}, release {release}"
      values={{ node: <SafeText text={label} />, network: networkName(network), release }}
    />
  );
}
