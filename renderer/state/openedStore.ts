/** The files whose pages were opened since the app started, for the sidebar. */
import { create } from 'zustand';
import type { Inspection } from '../../shared/model/inspection.ts';
import { balanceWords } from '../../shared/wording/balanceWords.ts';
import { say } from '../../shared/wording/say.ts';
import { fileVerdict, type Verdict } from '../../shared/wording/verdictWords.ts';

interface OpenedFile {
  path: string;
  title: string;
  /** Null until the file is read, and if it is not known. */
  balance: string | null;
  tone: Verdict['tone'] | null;
}

interface OpenedState {
  files: readonly OpenedFile[];
  note(file: Pick<OpenedFile, 'path' | 'title'> & { inspection: Inspection | null }): void;
  forget(path: string): void;
}

export const useOpened = create<OpenedState>()((set) => ({
  files: [],
  note: ({ path, title, inspection }) =>
    set(({ files }) => {
      const known = files.find((one) => one.path === path);
      const file =
        inspection === null
          ? { path, title, balance: known?.balance ?? null, tone: known?.tone ?? null }
          : { path, title, balance: balanceOf(inspection), tone: fileVerdict(inspection, null).tone };
      return {
        files: known ? files.map((one) => (one === known ? file : one)) : [file, ...files].slice(0, MOST),
      };
    }),
  forget: (path) => set(({ files }) => ({ files: files.filter((one) => one.path !== path) })),
}));

const MOST = 5;

/** An incomplete file does not hold the wallet's balance. */
function balanceOf(inspection: Inspection): string | null {
  return inspection.cutOff === null ? balanceWords(inspection).total : say('Interrupted');
}
