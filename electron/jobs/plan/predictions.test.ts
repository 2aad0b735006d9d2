/**
 * Compares what the app predicts for each file and release with what nodes and the engine did. `npm run releases` has it write
 * `docs/releases.md`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ConditionCode, conditionCodes } from '../../../shared/model/conditions.ts';
import type { Inspection } from '../../../shared/model/inspection.ts';
import {
  ADDRESSES_DO_NOT_FIT,
  conditionText,
  DESCRIPTOR_KEYLESS,
} from '../../../shared/wording/findings/faultWords.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import {
  CONDITION_RULES,
  type ConditionRule,
  type Effect,
  isInRelease,
} from '../../walletfile/conditions/conditionTable.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { conditionFiles } from '../../walletfile/testing/conditionFiles.ts';
import {
  foreignNote,
  foreignWallets,
  hasForeignWallets,
  reportedWallet,
} from '../../walletfile/testing/foreignWallets.ts';
import recordedConditions from '../../walletfile/testing/recordedConditions.json' with { type: 'json' };
import { migrationFacts, restoreFacts, statusOf } from '../testing/testFacts.ts';
import { checkMigration } from './checkMigration.ts';
import { checkRestore } from './checkRestore.ts';
import { HAZARDS } from './hazards.ts';
import { refuseToLoad } from './nodeChecks.ts';

type Doing = 'migrates' | 'refuses' | 'crashes';

interface Row {
  readonly file: string;
  readonly why: string;
  /** By release, and `engine`; null where no node of that release was asked. */
  readonly cells: readonly ({ readonly said: Doing; readonly did: Doing } | null)[];
}

const releases = { '28.1': 280_100, '29.3': 290_300, '30.0': 300_000, '31.0': 310_000, '32.0-pre': 319_900 };

/** What real nodes answered to each call, by release. */
const recorded: Readonly<Record<ConditionCode, Record<string, Record<string, string>>>> = recordedConditions;

const document = fileURLToPath(new URL('../../../docs/releases.md', import.meta.url));

describe.runIf(hasForeignWallets)(`predictions${foreignNote}`, () => {
  let rows: Row[];
  beforeAll(async () => {
    rows = await Promise.all(foreignWallets('old', 'odd', 'wallets', 'broken').map(rowOf));
  }, 120_000);

  it('match what nodes and the engine did', () => {
    const wrong = rows.flatMap(({ file, cells }) =>
      cells.flatMap((cell, at) => (cell === null || cell.said === cell.did ? [] : [{ file, at, ...cell }])),
    );
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
  });

  it('are right for files made after public reports', async () => {
    const said = await Promise.all(
      REPORTED.map(async ([name]) => {
        const inspection = await inspect(reportedWallet(name), { network: 'regtest' });
        const { saying, why } = predict(inspection, releases['31.0'], false);
        return [name, saying, why.join(' ')];
      }),
    );
    expect(said).toEqual(REPORTED);
  });

  it.runIf(process.env.WRITE_RELEASES === '1')('are written to the document', () => {
    writeFileSync(document, documentOf(rows));
  });
});

/** What a node of release 31 did with each, or would have. */
const REPORTED: readonly (readonly [name: string, saying: Doing, why: string])[] = [
  [
    'descriptor-damaged-transaction',
    'crashes',
    'Wrong transaction id. In: 6e0369e2371ed0e7c90938e35a7420b78c4bfc38e371c6c5fe08513bd2e57d69.',
  ],
  [
    'descriptor-id-differs',
    'refuses',
    'Wrong descriptor id. In: tr(tpubD6NzVbkrYhZ4XQ21vzJguk2Gj98UzSyk5ahznAMKpzkM6u8FRymKtt2dm….',
  ],
  [
    'descriptor-unknown-kind',
    'refuses',
    'Unreadable descriptor. In: 5a40653d5294cdef48e7f460bff261a0af6fa9471ae52c547965504d71226240.',
  ],
  ['descriptor-late-birth', 'migrates', ''],
  ['immature-rewards', 'migrates', ''],
  ['legacy-odd-paths', 'migrates', ''],
  [
    'legacy-own-hybrid',
    'crashes',
    'Hybrid public key. In: 068c0c05f3ba1cacbf06ac82f3c27b2b10d928d02a163ed8a902d794283f029f….',
  ],
];

describe('a condition of Bitcoin Core', () => {
  it.each(conditionCodes)('%s: the plan says what real nodes did', async (code) => {
    const { bytes, kind, passphrase } = await conditionFiles[code]();
    // Only the passphrase shows this condition.
    const how = { network: 'regtest', ...(code === 'key-sealed' ? { passphrase } : {}) } as const;
    const inspection = await inspect(bytes, how);
    for (const [release, { walletpassphrase: _, ...calls }] of Object.entries(recorded[code] ?? {})) {
      const number = releases[release as keyof typeof releases];
      const answers = Object.values(calls);
      const isEnded = answers.some((words) => /^(ended|no answer)/.test(words));
      // Only the first call loads or migrates: an error of a later one refuses no wallet.
      const saying: Doing = isEnded ? 'crashes' : answers[0]?.startsWith('error') ? 'refuses' : 'migrates';
      const { saying: predicted } = predict(inspection, number, false);
      expect({ release, saying: predicted }).toEqual({ release, saying });
    }
    expect(Object.keys(recorded[code]).length).toBeGreaterThan(0);
    expect(inspection.kind).toBe(kind);
  });
});

async function rowOf({ name, path, network, passphrase, nodes }: ReturnType<typeof foreignWallets>[number]) {
  const bytes = new Uint8Array(readFileSync(path));
  const inspection = await inspect(bytes, { network });
  const whys = new Set<string>();
  const said = (number: number, offline = false): Doing => {
    const { saying, why } = predict(inspection, number, offline);
    for (const one of why) whys.add(one);
    return saying;
  };
  const cells = Object.entries(releases).map(([release, number]) => {
    const node = nodes[release];
    return node === undefined ? null : { said: said(number), did: done(node.migratewallet) };
  });
  const options = { bytes, network, name: 'w', now: 1_795_200_000, keypoolSize: 2 };
  const migration = migrateWallet(passphrase === undefined ? options : { ...options, passphrase });
  const did = await migration.then(
    (): Doing => 'migrates',
    (): Doing => 'refuses',
  );
  return { file: name, why: [...whys].join(' '), cells: [...cells, { said: said(280_100, true), did }] };
}

function predict(inspection: Inspection, number: number, offline: boolean) {
  const { network } = inspection;
  const status = statusOf({
    release: releaseOf(number),
    offline,
    ...(network.name === 'unknown' ? {} : { network: network.name }),
  });
  const fileInspection = { state: 'read', inspection, sha256: null } as const;
  const isLegacy = inspection.file.format.kind === 'berkeley-db';
  const checks = isLegacy
    ? checkMigration(migrationFacts({ status, fileInspection }))
    : checkRestore(restoreFacts({ status, fileInspection }));
  // A node loads a wallet that misleads.
  const stops = checks.filter(
    ({ verdict, title }) => verdict === 'blocker' && (offline || !MISLEADING.includes(title)),
  );
  const saying: Doing = stops.some(({ title }) => title.endsWith('crash the node'))
    ? 'crashes'
    : stops.length > 0
      ? 'refuses'
      : 'migrates';
  const why = stops.flatMap(({ id, title, text }) => (id === 'obstacles' ? text : [`${title}.`]));
  return { saying, why };
}

const MISLEADING = [ADDRESSES_DO_NOT_FIT, DESCRIPTOR_KEYLESS];

function done(outcome: string): Doing {
  if (outcome === 'done') return 'migrates';
  return outcome.includes('crashed') ? 'crashes' : 'refuses';
}

function documentOf(rows: readonly Row[]): string {
  const names = [
    ...Object.keys(releases).map((name) => (name === '32.0-pre' ? '32 (31.99)' : name)),
    'engine',
  ];
  return [
    '# Releases',
    '',
    'What releases of Bitcoin Core refuse or crash on. `npm run releases` writes this page; tests compare it with real nodes.',
    '',
    '## Hazards',
    '',
    '| hazard | releases | a node | the engine |',
    '| --- | --- | --- | --- |',
    ...HAZARDS.filter(({ source }) => source === undefined).map(
      ({ text, releases: of, migrating, loading, engine = 'migrates' }) =>
        `| ${text} | ${of.map(rangeOf).join(', ')} | ${EFFECTS[migrating ?? loading ?? 'may']} | ${engine} |`,
    ),
    '',
    '## Conditions of Bitcoin Core',
    '',
    'What a wallet file can trigger when a node loads or migrates it. Read in the sources of 24 to 32. Last column: a real node’s answer, or the failed assertion. “Ends”: the node crashes. “Ends later”: it crashes over the loaded wallet’s balance or descriptors. “Misleads”: it gives out addresses that the wallet cannot spend from. “Risky”: data may be lost, or calls may fail. The app sends none of the first three.',
    '',
    '| condition | releases | loading | migrating | the engine | a rescue | in Core’s sources | real nodes |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...CONDITION_RULES.map(
      ({ code, releases: of, loading, migrating, engine, rescue, source }) =>
        `| ${[
          conditionText(code),
          of.map(rangeOf).join(', '),
          loading ? EFFECTS[loading] : '–',
          migrating ? EFFECTS[migrating] : '–',
          engine === 'migrates' ? 'goes on' : engine,
          rescue ?? '–',
          source,
          recordedOf(code, of),
        ].join(' | ')} |`,
    ),
    '',
    '## Predicted and observed',
    '',
    'What the app predicts for files of 2013 to 2020, odd and recorded ones, and those of killed nodes. Nodes did the same, unless the cell says otherwise. Dash: not tried.',
    '',
    `| file | ${names.join(' | ')} | why |`,
    `| --- | ${names.map(() => '---').join(' | ')} | --- |`,
    ...equalRows(rows).map(([rest, files]) => `| ${files.join(', ')} | ${rest} |`),
    '',
  ].join('\n');
}

/** The files whose rows are equal, by the rest of their row. */
function equalRows(rows: readonly Row[]): [rest: string, files: string[]][] {
  const files = new Map<string, string[]>();
  for (const { file, cells, why } of rows) {
    const rest = [...cells.map(cellOf), why].join(' | ');
    files.set(rest, [...(files.get(rest) ?? []), `\`${file}\``]);
  }
  return [...files];
}

const EFFECTS: Readonly<Record<Effect, string>> = {
  may: 'risky',
  refuses: 'refuses',
  crashes: 'ends',
  unknown: 'ends',
  'ends-later': 'ends later',
  misleads: 'misleads',
};

/** What the newest node of these releases answered: the first call that failed, else that all were done. */
function recordedOf(code: ConditionCode, of: ConditionRule['releases']): string {
  const newest = Object.entries(recorded[code])
    .filter(([release]) => isInRelease(releases[release as keyof typeof releases], of))
    .at(-1);
  if (!newest) return '';
  const answers = Object.entries(newest[1]);
  const [call, words] = answers.find(([, one]) => !one.startsWith('done')) ?? ['', ''];
  if (call === '') return `${newest[0]}: done`;
  return `${newest[0]}, \`${call}\`: ${inShort(words).replaceAll('|', '¦')}`;
}

/** The assertion that ended a node, or the sentence of an error that says what is wrong. */
function inShort(words: string): string {
  const [, assertion] = /^ended: .*Assertion `(.*)' failed/.exec(words) ?? [];
  if (assertion !== undefined) return `\`${assertion}\``;
  return words
    .replace(
      /^error: (Error: |Wallet loading failed\. )?(Error loading \{WALLET\} |Wallet file verification failed\. )?/,
      '',
    )
    .replace(/\.? +Loading wallet \{WALLET\}.*$/, '');
}

function cellOf(cell: Row['cells'][number]): string {
  if (cell === null) return '–';
  return cell.said === cell.did ? cell.said : `**${cell.said}, but ${cell.did}**`;
}

function rangeOf([first, without]: readonly [first: number, without: number]): string {
  const before = without === Number.POSITIVE_INFINITY ? '' : `before ${releaseName(without)}`;
  if (first <= 240_000) return before || 'all';
  return before ? `${releaseName(first)} to ${before}` : `from ${releaseName(first)}`;
}

function releaseName(number: number): string {
  const text = releaseOf(number).text;
  return text === '31.99' ? '32' : text;
}

describe('a wallet that the node loads', () => {
  const loading = async (code: ConditionCode) => {
    const { bytes } = await conditionFiles[code]();
    const inspection = await inspect(bytes, { network: 'regtest' });
    const status = statusOf({ release: releaseOf(310_000), network: 'regtest' });
    return () => refuseToLoad(inspection, status);
  };

  const OF_TRANSACTIONS = ['transaction-id', 'reward-conflicted', 'reward-spent'] as const;
  const OF_RECORDS = ['active-kind', 'active-type', 'flags-missing'] as const;
  const OF_DESCRIPTORS = ['descriptor-cache-key', 'descriptor-next', 'descriptor-size'] as const;
  it.each([...OF_TRANSACTIONS, ...OF_RECORDS, ...OF_DESCRIPTORS])(
    'is never sent to a node that would crash: %s',
    async (code) => expect(await loading(code)).toThrow('This wallet would crash the node.'),
  );

  it('is sent to a node that only refuses it', async () => {
    expect(await loading('descriptor-id')).not.toThrow();
  });
});
