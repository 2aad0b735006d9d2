/** The contents that a job's wallets must have: those that the same node creates from the same file without a stop. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod/mini';
import { startRealNode } from '../live/realNode.ts';
import { type Contents, commonContents, contentsOf, SUFFIXES } from './groundTruth.ts';
import { fileOf, subjectFile } from './subjectFile.ts';

export type Baselines = (recording: string) => Promise<Contents>;

/** Returns the baseline of each recorded wallet, created on first use. */
export function baselines(folder: string): Baselines {
  const cache = new Map<string, Promise<Contents>>();
  return (recording) => {
    const cached = cache.get(recording);
    if (cached) return cached;
    const baseline = createBaseline(folder, recording);
    cache.set(recording, baseline);
    baseline.catch(() => cache.delete(recording));
    return baseline;
  };
}

async function createBaseline(folder: string, recording: string): Promise<Contents> {
  const node = await startRealNode(folder, {});
  const { bytes, passphrase } = subjectFile(recording);
  try {
    const create = async (name: string): Promise<Contents> => {
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
    return commonContents(await create('first'), await create('second'));
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
