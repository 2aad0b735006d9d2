/** A job before it is run: all that is known of it, what is still needed, what will be sent, and what comes of it. */
import { z } from 'zod';
import { fileFacts } from './files.ts';
import { inspection } from './inspection.ts';
import { jobKind } from './job.ts';
import { migrationProof, walletPart } from './migrationPreview.ts';
import { nodeIdentity, nodeStatus } from './node.ts';
import { type Check, check, rescueFacts } from './safety.ts';
import { count, nodeText, path, sha256, unixSeconds } from './shapes.ts';

/** A wallet's file: any on this machine, or that of a wallet of the node in use, if it lies on this machine too. */
export const walletSource = z.discriminatedUnion('by', [
  z.object({ by: z.literal('file'), path }),
  z.object({ by: z.literal('wallet'), name: z.string().max(4096) }),
]);
export type WalletSource = z.infer<typeof walletSource>;

/**
 * `restore` migrates too where the node loads no legacy wallet; `undo` brings one back from its backup; `rescue` migrates
 * what can be saved of a file that releases refuse; `rescan` has the node look through its blocks for a wallet's payments;
 * `put-back` gives the name of a wallet that was left half-made to the likeliest whole copy of it, which is migrated too where
 * the node loads no legacy wallet.
 */
export const planAction = z.enum(['restore', 'migrate', 'backup', 'undo', 'rescue', 'rescan', 'put-back']);
export type PlanAction = z.infer<typeof planAction>;

/** What the user answered so far. What is not there is not answered, and a suggestion takes its place. No secret. */
export const answers = z.object({
  /** Of the new wallet. */
  name: z.string().max(4096).optional(),
  /** Of a wallet that is put back: the copy, where another one is wanted than the likeliest. */
  copy: z.string().max(4096).optional(),
  /** Path of a new backup. */
  destination: z.string().max(4096).optional(),
  /** true: add to the startup-load list; false: remove; null: leave as it is. */
  loadOnStartup: z.boolean().nullable().optional(),
  /** Of a migration: whether the node loads what comes of it. */
  loadAfterwards: z.boolean().optional(),
  /** That a passphrase is typed, not which. */
  withPassphrase: z.boolean().optional(),
  /** The user says in words that they have a copy: only where the app can make none. */
  hasOwnCopy: z.boolean().optional(),
  /** The user has read what the rehearsal told, and the node shall decide. */
  lossRead: z.boolean().optional(),
  /** Of a rescue: the folder with the log of the file; null: there is none, and what the file alone holds is enough. */
  logs: z.string().max(4096).nullable().optional(),
  /** Of a rescue: an encrypted wallet stays where it is, and only the keys that need no passphrase are taken. */
  openOnly: z.boolean().optional(),
  /** The user says in words that the keys are Bitcoin's: only where the file does not tell. */
  bitcoinKeys: z.boolean().optional(),
  /** Of a rescan: where it begins. Without it, at the lowest block that the node has. */
  rescanFrom: z
    .discriminatedUnion('by', [
      z.object({ by: z.literal('height'), height: count }),
      z.object({ by: z.literal('time'), time: unixSeconds }),
    ])
    .optional(),
});
export type Answers = z.infer<typeof answers>;

/** What the user wants done with one wallet or file. */
export const planRequest = z.object({
  action: planAction,
  source: walletSource,
  answers,
  /** A first name for the new wallet. Without it, the file's own name is suggested. */
  suggestedName: z.string().max(4096).optional(),
});
export type PlanRequest = z.infer<typeof planRequest>;

/** What is still needed of the user, each with its own check. */
export const ask = z.discriminatedUnion('ask', [
  /** A name for the new wallet: the answer, or a suggestion that is free. */
  z.object({ ask: z.literal('name'), value: z.string(), check }),
  /** Where a new backup goes: a full path; empty until it is answered. */
  z.object({ ask: z.literal('destination'), value: z.string(), check }),
  z.object({
    ask: z.literal('passphrase'),
    /** False where it is not known whether the wallet is encrypted. */
    needed: z.boolean(),
    /** Whether it can be tried on the wallet's file before anything is sent. */
    canBeTried: z.boolean(),
    /** About how long a try takes on this computer; null where that is a moment, or not known. */
    secondsPerTry: count.nullable(),
    /** Where it can be left out: `keys` is how many private keys need none, and `value` the answer. */
    openOnly: z.object({ value: z.boolean(), keys: count }).optional(),
  }),
  z.object({ ask: z.literal('load-on-startup'), value: z.boolean().nullable() }),
  /** Only of releases that can leave the loading out. */
  z.object({ ask: z.literal('load-afterwards'), value: z.boolean() }),
  z.object({ ask: z.literal('own-copy'), value: z.boolean() }),
  z.object({ ask: z.literal('read-loss'), value: z.boolean() }),
  /** The folder of the log, as found or answered; empty where there is none. */
  z.object({ ask: z.literal('logs'), value: z.string(), check }),
  /** The check on the coin says what speaks for which. */
  z.object({ ask: z.literal('bitcoin-keys'), value: z.boolean() }),
  /** Where the node keeps its wallets: it does not tell, and `nodes.useWalletsFolder` names it. */
  z.object({ ask: z.literal('wallets-folder'), check }),
  /** The height of the first block that is looked at. */
  z.object({ ask: z.literal('rescan-from'), value: count, check }),
]);
export type Ask = z.infer<typeof ask>;

/** One call to the node, as it is sent but for the passphrase. */
const plannedCall = z.object({
  method: z.string(),
  /** A passphrase stands as dots. */
  params: z.union([z.array(z.json()), z.record(z.string(), z.json())]),
  /** Of the `/wallet/<name>` path; null for the root path. */
  wallet: nodeText.nullable(),
  /** In which case it is sent, in a sentence; null where it always is. */
  when: z.string().nullable(),
});
export type PlannedCall = z.infer<typeof plannedCall>;

const total = z.object({ total: count });

export const plan = z.object({
  /** Names what was gathered for it, as long as the app runs. */
  id: z.string(),
  action: planAction,
  /** The way that it goes. */
  kind: jobKind,
  source: walletSource,
  /** Of the wallet that is worked on or made; the empty string is the unnamed one. */
  wallet: nodeText,
  /** As it was looked at. */
  node: nodeStatus
    .pick({ label: true, local: true, offline: true, network: true, release: true })
    .extend({ identity: nodeIdentity }),
  /** What the file told. Null is what could not be seen. */
  facts: z.object({
    /** By its first bytes, for a file that was chosen. */
    file: fileFacts.nullable(),
    /** Of the wallet's file on this machine. */
    path: path.nullable(),
    sha256: sha256.nullable(),
    /** Of a rescue: what can be saved, before a passphrase proves it. `contents` is what is in that. */
    rescue: rescueFacts.nullable(),
    contents: inspection
      .pick({
        kind: true,
        cutOff: true,
        network: true,
        coin: true,
        file: true,
        encryption: true,
        birth: true,
        keys: true,
        balance: true,
        lastWrittenBy: true,
        flags: true,
        problems: true,
        conditions: true,
        migration: true,
      })
      // How many there are; each of them is told by an inspection.
      .extend({ transactions: total, descriptors: total, scripts: total, labels: total })
      .nullable(),
  }),
  /** Blockers first, then warnings. No other code decides a verdict. */
  checks: z.array(check),
  asks: z.array(ask),
  /** What the app's own engine could bring over instead: this file, or another where it is not seen. Null: no offer. */
  elsewhere: z.enum(['this-file', 'another-file']).nullable(),
  /** Sent at each look, so that the wallet's file can be read: a node that has it open writes a copy for that. */
  sent: z.array(plannedCall),
  /** In their order, all that change anything. */
  calls: z.array(plannedCall),
  /** The wallets that come of it. Empty for a new backup. */
  makes: z.array(
    z.object({
      part: walletPart,
      name: nodeText,
      /** How many descriptors it will have; null: not known. */
      descriptors: count.nullable(),
      /** Whether it is certain that there will be one: what is in the file was not seen. */
      certain: z.boolean(),
    }),
  ),
  /**
   * Wallets that make room for this one, or stay beside it: the name and place that each has afterwards. `now`: where it lies
   * before that. Null: on another machine. Absent where there are none.
   */
  movedWallets: z
    .array(z.object({ name: nodeText, newName: nodeText, path: path.nullable(), now: path.nullable() }))
    .optional(),
  /** Copies that are made first, each in a sentence; the folder where it is known. */
  copies: z.array(z.object({ text: z.string(), folder: path.nullable() })),
});
export type Plan = z.infer<typeof plan>;

/** A migration that was done on a copy and thrown away. */
export const rehearsal = z.object({
  /** Those that come of it, each read again from the file that was made. */
  wallets: z.array(z.object({ part: walletPart, name: z.string(), found: inspection })),
  proof: migrationProof,
});
export type Rehearsal = z.infer<typeof rehearsal>;

/** Asks that must be answered before a plan can be run. */
export type RequiredAsk = 'passphrase' | 'own-copy' | 'read-loss' | 'bitcoin-keys';

/** The first thing that keeps a plan from being run; null where it can be run. `hasPassphrase`: whether one is typed. */
export function findBlocker(
  plan: Pick<Plan, 'checks' | 'asks'>,
  hasPassphrase: boolean,
): { check: Check } | { ask: RequiredAsk } | null {
  const check = checksOf(plan).find(({ verdict }) => verdict === 'blocker');
  if (check) return { check };
  for (const one of plan.asks) {
    if (one.ask === 'passphrase' && one.needed && !hasPassphrase) return { ask: one.ask };
    const isConfirmation = one.ask === 'own-copy' || one.ask === 'read-loss' || one.ask === 'bitcoin-keys';
    if (isConfirmation && !one.value) return { ask: one.ask };
  }
  return null;
}

/** Whether the plan can run as it is: no warnings, and no open questions. */
export function isQuiet(plan: Pick<Plan, 'checks' | 'asks'>): boolean {
  const warns = checksOf(plan).some(({ verdict }) => verdict === 'warning');
  const asksNothing = plan.asks.every(({ ask }) => SUGGESTED.has(ask));
  return !warns && asksNothing && findBlocker(plan, false) === null;
}

/** Asks that a suggestion answers. */
const SUGGESTED: ReadonlySet<Ask['ask']> = new Set([
  'name',
  'load-on-startup',
  'load-afterwards',
  'rescan-from',
]);

/** Its checks, and those of what it asks. */
export function checksOf({ checks, asks }: Pick<Plan, 'checks' | 'asks'>): Check[] {
  return [...checks, ...asks.flatMap((one) => ('check' in one ? [one.check] : []))];
}

/** The ask of this kind; undefined where it is not needed. */
export function askOf<A extends Ask['ask']>(
  { asks }: Pick<Plan, 'asks'>,
  kind: A,
): Extract<Ask, { ask: A }> | undefined {
  return asks.find((one): one is Extract<Ask, { ask: A }> => one.ask === kind);
}
