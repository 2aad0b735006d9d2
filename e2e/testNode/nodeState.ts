/** The state of one test node: its recording, wallets, log and current run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { type NodeLife, startLife } from './life.ts';
import { nowSeconds, substitute } from './names.ts';
import type { NodeLog } from './nodeLog.ts';
import type { NodeWallets } from './nodeWallets.ts';
import { loadRecording, mapTexts, type Recording, type ReleaseName, type Reply } from './recording.ts';
import type { Scenario } from './scenario.ts';

export interface NodeState {
  readonly recording: Recording;
  readonly scenario: Scenario;
  readonly dataFolder: string;
  readonly chainFolder: string;
  readonly wallets: NodeWallets;
  readonly log: NodeLog;
  /** The height of the recorded chain, in blocks. */
  readonly height: number;
  /** The current run. A kill ends it; the next start begins another. */
  life: NodeLife;
  /** The running calls, each with the millisecond in which it began. */
  readonly running: Map<symbol, { method: string; since: number }>;
  /** A recorded reply, with this node's folder in its paths and the recorded wallet `from` renamed to `to`. */
  recorded(id: string, from?: string, to?: string, time?: number): Reply;
  /** The same from another release, for a reply that this one has no recording of. */
  borrowed(release: ReleaseName, id: string, from: string, to: string): Reply;
  /** Writes `settings.json` as `load_on_startup` does. Null changes nothing. */
  setLoadOnStartup(name: string, value: boolean | null): void;
  loadOnStartup(): string[];
}

export function createNodeState(parts: {
  release: ReleaseName;
  scenario: Scenario;
  dataFolder: string;
  chainFolder: string;
  wallets: NodeWallets;
  log: NodeLog;
}): NodeState {
  const { dataFolder, chainFolder } = parts;
  const recording = loadRecording(parts.release);
  const settings = join(chainFolder, 'settings.json');
  const localised = (reply: Reply, from: string, to: string, time = nowSeconds()): Reply => {
    const change = (text: string) => substitute(text, { dataFolder, from, to, time });
    if ('error' in reply) return { error: { ...reply.error, message: change(reply.error.message) } };
    return { result: mapTexts(reply.result, change) };
  };
  const loadOnStartup = () =>
    existsSync(settings) ? settingsShape.parse(JSON.parse(readFileSync(settings, 'utf8'))).wallet : [];
  return {
    ...parts,
    recording,
    height: heightOf(recording),
    life: startLife(),
    running: new Map(),
    recorded: (id, from = '', to = '', time) => localised(recording.reply(id), from, to, time),
    borrowed: (release, id, from, to) => localised(loadRecording(release).reply(id), from, to),
    setLoadOnStartup(name, value) {
      if (value === null) return;
      const others = loadOnStartup().filter((other) => other !== name);
      const wallet = value ? [...others, name] : others;
      writeFileSync(settings, `${JSON.stringify({ wallet }, null, 4)}\n`);
    },
    loadOnStartup,
  };
}

const settingsShape = z.object({ wallet: z._default(z.array(z.string()), []) });

function heightOf(recording: Recording): number {
  const reply = recording.reply('getblockchaininfo');
  return z.object({ result: z.object({ blocks: z.number() }) }).parse(reply).result.blocks;
}
