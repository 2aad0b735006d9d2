/** The files whose pages were opened since the app started, for the sidebar. */
import { create } from 'zustand';
import type { FileFacts } from '../../shared/model/files.ts';
import type { Inspection } from '../../shared/model/inspection.ts';
import type { Job } from '../../shared/model/job.ts';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Interruption } from '../../shared/model/safety.ts';
import { balanceWords } from '../../shared/wording/balanceWords.ts';
import { coinName } from '../../shared/wording/findings/fileKindWords.ts';
import { interruptedLabel } from '../../shared/wording/interruptionWords.ts';
import { say } from '../../shared/wording/say.ts';
import { fileVerdict, type Verdict } from '../../shared/wording/verdictWords.ts';
import { attempt } from './asking.ts';
import { bridge } from './bridge.ts';

export interface OpenedFile {
  path: string;
  title: string;
  /** Its coin if that is another one. Null until the file is read, and if unknown. */
  balance: string | null;
  icon: StoredIcon | null;
  /** See `versionOf`; null until it is known. */
  version: string | null;
}

/** Differs once the file is changed. */
export function versionOf({ modified, size }: Pick<FileFacts, 'modified' | 'size'>): string {
  return `${modified} ${size}`;
}

/** The icon of a wallet in the sidebar. */
export type StatusIcon = Verdict['tone'] | 'interrupted';

/** Of a file, `legacy` until the node is known. */
export type StoredIcon = StatusIcon | 'legacy';

export function iconOf({ tone, due }: Verdict, isInterrupted: boolean): StoredIcon {
  if (due !== undefined) return due === 'migration' ? 'legacy' : 'read';
  return isInterrupted && tone === 'read' ? 'interrupted' : tone;
}

/** A legacy wallet has something to do unless the node loads it. */
export function iconFor(icon: StoredIcon, node: NodeStatus | null): StatusIcon {
  if (icon !== 'legacy') return icon;
  return node?.release.loadsLegacy && !node.offline ? 'plain' : 'read';
}

export const useOpened = create<{ files: readonly OpenedFile[] }>()(() => ({ files: [] }));
const { setState: set } = useOpened;

export function rememberFile({
  path,
  title,
  inspection,
  interruption = null,
  earlier = null,
  facts = null,
}: Pick<OpenedFile, 'path' | 'title'> & {
  inspection: Inspection | null;
  interruption?: Interruption | null;
  earlier?: Job | null;
  facts?: FileFacts | null;
}): void {
  set(({ files }) => {
    const known = files.find((one) => one.path === path);
    const before = known ?? { balance: null, icon: null, version: null };
    const file =
      inspection === null
        ? { ...before, path, title }
        : {
            path,
            title,
            version: facts && versionOf(facts),
            balance:
              inspection.coin.verdict === 'other'
                ? coinName(inspection.coin)
                : inspection.incomplete === null
                  ? balanceWords(inspection).total
                  : interruptedLabel(interruption),
            icon: iconOf(
              fileVerdict(inspection, interruption, earlier, facts),
              inspection.incomplete !== null,
            ),
          };
    return {
      files: known ? files.map((one) => (one === known ? file : one)) : [file, ...files],
    };
  });
}

/** Checks these files again: marks those that are gone, and drops the balance and the icon of changed ones. */
export function recheckFiles(files: readonly OpenedFile[]): void {
  for (const { path } of files)
    void attempt(() => bridge.call('files.inspect', { path })).then((look) => {
      if (!look.ok) return markUnreadable(path);
      const version = versionOf(look.value);
      change(path, (file) =>
        file.version === version ? file : { ...file, balance: null, icon: null, version },
      );
    });
}

/** Marks a known file as unreadable. */
export function markUnreadable(path: string): void {
  change(path, (file) => ({ ...file, balance: say('Not readable'), icon: 'read', version: null }));
}

function change(path: string, changed: (file: OpenedFile) => OpenedFile): void {
  set(({ files }) => ({ files: files.map((one) => (one.path === path ? changed(one) : one)) }));
}

export function forgetFile(path: string): void {
  set(({ files }) => ({ files: files.filter((one) => one.path !== path) }));
}
