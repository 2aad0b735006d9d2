/** Sends every recorded request to an engine with the dialect of that release. */
import { cpSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordedExchange, recordedExchanges } from '../../e2e/testNode/recording.ts';
import { removeTestFolder } from '../files/testing/removeTestFolder.ts';
import { walletPath } from '../walletfile/testing/wallets.ts';
import type { EngineRelease } from './rpc/dialect.ts';
import {
  makeDataFolder,
  putWallet,
  startTestEngine,
  type TestEngine,
  type TestReply,
} from './testing/testEngine.ts';

/** The recordings whose copies had other names on the recorded nodes. */
const RECORDED_AS: Readonly<Record<string, string>> = {
  enc2: 'legacy-hd-encrypted',
  quiet: 'legacy-hd',
  'quiet-watch': 'legacy-watchonly',
  'bad-arg': 'legacy-hd',
};
const LATER = ['quiet', 'quiet-watch', 'bad-arg'];

const recordings: [EngineRelease, string][] = [
  [23, '23.0'],
  [25, '25.2'],
  [28, '28.1'],
  [30, '30.0'],
  [32, '32.0-pre'],
];

/** The engine is never busy in this way, and the other exchange needs an option. */
const notReplayed = ['busy-work-queue-exceeded', 'restore-with-walletwarningfield'];
/** Faults of 25.2: it mistakes a blank legacy wallet for a descriptor wallet, and unloads wallets after a failed migration. */
const faultsOf25 = ['migrate-endpoint-no-arguments', 'listwallets-after'];
/** The node's message is wrong there, or about a database that the engine does not use. */
const ownWords = ['migrate-unknown', 'restore-truncated', 'restore-missing-argument'];
/** Their results are lists of names. */
const listings = [
  'listwallets',
  'listwalletdir',
  'listwalletdir-legacy',
  'listwalletdir-after',
  'listwallets-after',
];
/** Fields about the chain, which the engine does not have. */
const chainOnly = ['lastprocessedblock'];

describe.each(recordings)('release %i', (release, file) => {
  const dataFolder = makeDataFolder();
  const exchanges = recordedExchanges(file, dataFolder);
  let engine: TestEngine;
  let backupPath = '';

  beforeAll(async () => {
    const backups = join(dataFolder, 'backups');
    mkdirSync(backups);
    cpSync(walletPath('descriptor-hd'), join(backups, 'descriptor.bak'));
    cpSync(walletPath('legacy-hd'), join(backups, 'legacy.bak'));
    cpSync(walletPath('descriptor-hd'), join(backups, 'truncated.bak'));
    truncateSync(join(backups, 'truncated.bak'), 9000);
    writeFileSync(join(backups, 'notes.txt'), 'not a wallet\n'.repeat(1000));
    writeFileSync(join(backups, 'empty.bak'), '');
    const before = namesOf('listwalletdir').filter((name) => /^(src|old|miner)$/.test(name));
    const copies = Object.fromEntries(
      before.map((name) => [name, name === 'src' ? 'descriptor-hd' : 'legacy-hd']),
    );
    engine = await startTestEngine(dataFolder, { release, copies });
  });

  afterAll(async () => {
    await engine.engine.stop();
    await removeTestFolder(dataFolder);
  });

  /** The names that a recorded listing holds. */
  function namesOf(id: string): string[] {
    const exchange = exchanges.find((each) => each.id === id);
    return exchange ? names(JSON.parse(exchange.response.body)) : [];
  }

  it.each(
    exchanges.filter(({ id }) => isReplayed(id, release)).map((exchange) => [exchange.id, exchange] as const),
  )('%s', async (id, { request, response }) => {
    if (id === 'listwalletdir-legacy') addLegacyWallets();
    // These wallets were copied into the folder later.
    if (id === 'migrate-load-wallet-false') {
      for (const name of LATER) putWallet(engine.walletsFolder, name, RECORDED_AS[name] ?? name);
    }
    const reply = await send(id, request);
    expect(reply.status).toBe(response.status);
    for (const name of ['content-type', 'www-authenticate']) {
      expect(reply.headers.get(name)).toBe(response.headers[name] ?? null);
    }
    if (response.body === '') {
      expect(reply.body).toBe('');
      return;
    }
    const recorded = JSON.parse(response.body);
    const answered = JSON.parse(reply.body);
    expect(Object.keys(answered)).toEqual(Object.keys(recorded));
    expect(answered.id).toEqual(recorded.id);
    if (recorded.error) {
      expect(answered.error.code).toBe(recorded.error.code);
      if (!ownWords.includes(id)) expect(answered.error.message).toBe(recorded.error.message);
    } else if (listings.includes(id)) {
      expect(names(answered).sort()).toEqual(names(recorded).sort());
      expect(shapeOf(answered.result)).toEqual(shapeOf(recorded.result));
    } else {
      expect(shapeOf(answered.result)).toEqual(shapeOf(recorded.result));
      if (/^(restore|load|unload|migrate|undo)/.test(id)) {
        expect(timeless(answered.result)).toEqual(timeless(recorded.result));
      }
      backupPath = answered.result?.backup_path ?? backupPath;
    }
  });

  /** The wallets that were copied into the recorded node's folder while it ran. */
  function addLegacyWallets(): void {
    const there = namesOf('listwalletdir');
    for (const name of namesOf('listwalletdir-legacy')) {
      if (there.includes(name)) continue;
      putWallet(engine.walletsFolder, name, RECORDED_AS[name] ?? name);
    }
  }

  /** Replaces the backup of the recorded undo, which has another time in its name. */
  function undoing(body: RecordedExchange['request']['body']) {
    return { ...body, params: ['legacy-hd-undone', backupPath] };
  }

  function send(id: string, { path, auth, body }: RecordedExchange['request']): Promise<TestReply> {
    const own = id.startsWith('undo-') ? undoing(body) : body;
    const text = JSON.stringify(own);
    if (auth === 'none') return engine.post(path, text, null);
    return auth === 'wrong' ? engine.post(path, text, '__cookie__:wrong') : engine.post(path, text);
  }
});

function isReplayed(id: string, release: EngineRelease): boolean {
  return !notReplayed.includes(id) && !(release === 25 && faultsOf25.includes(id));
}

/** Backups have the second in their name. */
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\d{10}\.legacy/g, 'T.legacy'));
}

function names(answer: {
  result: (string | { name: string })[] | { wallets: { name: string }[] };
}): string[] {
  const list = Array.isArray(answer.result) ? answer.result : answer.result.wallets;
  return list.map((each) => (typeof each === 'string' ? each : each.name));
}

/** The names of members and types of values; for a list, of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).filter(([name]) => !chainOnly.includes(name));
  // The networks, services and warnings in a list may differ.
  return Object.fromEntries(
    members
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [
        name,
        Array.isArray(member) && name !== 'wallets' ? 'list' : shapeOf(member),
      ]),
  );
}
