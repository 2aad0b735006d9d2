/** What must be in the wallets that come of a job: what the same node makes of the same file when nothing stops it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { startRealNode } from '../live/realNode.ts';
import { type Contents, commonContents, contentsOf, SUFFIXES } from './groundTruth.ts';
import { fileOf, subjectFile } from './subjectFile.ts';

export type Baselines = (recording: string) => Promise<Contents>;

export function baselines(folder: string): Baselines {
  const known = new Map<string, Promise<Contents>>();
  return (recording) => {
    const before = known.get(recording);
    if (before) return before;
    const made = makeBaseline(folder, recording);
    known.set(recording, made);
    made.catch(() => known.delete(recording));
    return made;
  };
}

async function makeBaseline(folder: string, recording: string): Promise<Contents> {
  const node = await startRealNode(folder, {});
  const { bytes, passphrase } = subjectFile(recording);
  try {
    const make = async (name: string): Promise<Contents> => {
      const file = fileOf(node.walletsFolder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      if (recording.startsWith('descriptor')) await node.call('loadwallet', [name]);
      else await node.call('migratewallet', passphrase === undefined ? [name] : [name, passphrase]);
      const loaded = z.array(z.string()).parse(await node.call('listwallets'));
      const all: Record<string, Contents[string]> = {};
      for (const suffix of SUFFIXES)
        if (loaded.includes(`${name}${suffix}`)) all[suffix] = await contentsOf(node, `${name}${suffix}`);
      return all;
    };
    return commonContents(await make('first'), await make('second'));
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
