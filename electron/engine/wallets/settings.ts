/** The wallets to load at start, listed in `settings.json` as a node lists them. */
import { z } from 'zod';
import { replaceFile } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { NoFileError, readWhole } from '../../files/openFile.ts';
import { EngineError, notOpened } from './engineError.ts';
import { LONGEST_NAME } from './walletPath.ts';

export type StartupList = ReturnType<typeof openStartupList>;

/**
 * Opens the list and keeps the other settings of the file. Throws EngineError if the file is not a JSON object, because
 * overwriting it could lose a node's settings, and for a link, a pipe or a folder.
 */
export function openStartupList(path: string) {
  const listedNow = (): readonly string[] => readSettings(path).wallet ?? [];
  listedNow();
  return {
    /** Names in the order in which they were added. */
    names: listedNow,
    /** Adds or removes a name. Syncs the file to the disk before it returns. */
    set: (name: string, listed: boolean) => {
      const settings = readSettings(path);
      const names = settings.wallet ?? [];
      if (names.includes(name) === listed) return;
      const wallet = listed ? [...names, name] : names.filter((other) => other !== name);
      const text = JSON.stringify({ ...settings, wallet }, null, 4);
      replaceFile(path, new TextEncoder().encode(`${text}\n`));
    },
  };
}

const MOST_BYTES = 1_000_000;

const settingsShape = z.looseObject({ wallet: z.array(z.string().max(LONGEST_NAME)).optional() });

function readSettings(path: string): z.infer<typeof settingsShape> {
  let text: string;
  try {
    text = readWhole(path, { own: true, most: MOST_BYTES }).toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    if (error instanceof NoFileError) throw notOpened('The settings file', path, error);
    if (systemCode(error) === 'EFBIG') {
      throw new EngineError(
        `The settings file ${path} is larger than 1 MB, so it contains more than settings. Repair it or move it away; nothing was changed.`,
      );
    }
    throw new EngineError(`The settings file ${path} cannot be read.`);
  }
  try {
    return settingsShape.parse(JSON.parse(text));
  } catch {
    throw new EngineError(
      `The settings file ${path} is not valid. Repair it or move it away; nothing was changed.`,
    );
  }
}
