/** What one test node is at the moment: its recording, wallets, log, and whether it lives. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
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
  /** Blocks of the recorded chain. */
  readonly height: number;
  /** Ends when the node is killed; a new one begins at its next start. */
  life: NodeLife;
  /** Calls that run now, each with the moment it began, in milliseconds. */
  readonly running: Map<symbol, { method: string; since: number }>;
  /** A recorded reply, with this node's folder and the wallet `from` of the recording called `to`. */
  recorded(id: string, from?: string, to?: string, time?: number): Reply;
  /** The same from another release, where this one was not recorded to say it. */
  borrowed(release: ReleaseName, id: string, from: string, to: string): Reply;
  /** Writes `settings.json` as `load_on_startup` does; null leaves it alone. */
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
  const said = (reply: Reply, from: string, to: string, time = nowSeconds()): Reply => {
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
    recorded: (id, from = '', to = '', time) => said(recording.reply(id), from, to, time),
    borrowed: (release, id, from, to) => said(loadRecording(release).reply(id), from, to),
    setLoadOnStartup(name, value) {
      if (value === null) return;
      const others = loadOnStartup().filter((other) => other !== name);
      const wallet = value ? [...others, name] : others;
      writeFileSync(settings, `${JSON.stringify({ wallet }, null, 4)}\n`);
    },
    loadOnStartup,
  };
}

const settingsShape = z.object({ wallet: z.array(z.string()).default([]) });

function heightOf(recording: Recording): number {
  const reply = recording.reply('getblockchaininfo');
  return z.object({ result: z.object({ blocks: z.number() }) }).parse(reply).result.blocks;
}
