/** A job before it runs: the known facts, the open questions, the calls to send, and the wallets that result. */
import { z } from 'zod/mini';
import { fileFacts } from './files.ts';
import { inspection } from './inspection.ts';
import { jobKind } from './job.ts';
import { migrationProof, walletPart } from './migrationPreview.ts';
import { nodeIdentity, nodeStatus } from './node.ts';
import { type Check, check, rescueFacts, SEVERITY } from './safety.ts';
import { count, nodeText, path, sha256, textUpTo, unixSeconds } from './shapes.ts';

/** A wallet's file: any on this machine, or that of a wallet of the node in use, if it lies on this machine too. */
export const walletSource = z.discriminatedUnion('by', [
  z.object({ by: z.literal('file'), path }),
  z.object({ by: z.literal('wallet'), name: textUpTo(4096) }),
]);
export type WalletSource = z.infer<typeof walletSource>;

export function isSameSource(one: WalletSource, other: WalletSource): boolean {
  return one.by === 'file'
    ? other.by === 'file' && one.path === other.path
    : other.by === 'wallet' && one.name === other.name;
}

/**
 * `restore` also migrates if the node loads no legacy wallet. `undo` restores a migrated wallet's backup. `rescue`
 * migrates what can be saved of a file that releases refuse. `rescan` has the node search its blocks for a wallet's
 * payments. `put-back` replaces an incomplete wallet by its likeliest whole copy, and like `restore` may migrate it.
 */
export const planAction = z.enum(['restore', 'migrate', 'backup', 'undo', 'rescue', 'rescan', 'put-back']);
export type PlanAction = z.infer<typeof planAction>;

/** The user's answers so far, without secrets. A suggestion takes the place of a missing answer. */
export const answers = z.object({
  /** Of the new wallet. */
  name: z.optional(textUpTo(4096)),
  /** For `put-back`: the chosen copy, if it is not the likeliest one. */
  copy: z.optional(textUpTo(4096)),
  /** Path of a new backup. */
  destination: z.optional(textUpTo(4096)),
  /** true: add to the startup-load list; false: remove; null: leave as it is. */
  loadOnStartup: z.optional(z.nullable(z.boolean())),
  /** For a migration: whether the node loads the new wallets. */
  loadAfterwards: z.optional(z.boolean()),
  /** Whether a passphrase is typed; the passphrase itself stays out. */
  withPassphrase: z.optional(z.boolean()),
  /** The user confirms having a copy. Asked only if the app cannot make one. */
  hasOwnCopy: z.optional(z.boolean()),
  /** The user has read the rehearsal's findings and leaves the decision to the node. */
  lossRead: z.optional(z.boolean()),
  /** For a rescue: the folder of the file's log; null: there is none, and the file alone is enough. */
  logs: z.optional(z.nullable(textUpTo(4096))),
  /** For a rescue: take only the keys of an encrypted wallet that need no passphrase. */
  openOnly: z.optional(z.boolean()),
  /** The user confirms that the keys are Bitcoin's. Asked only if the file does not show it. */
  bitcoinKeys: z.optional(z.boolean()),
  /** The user confirms that no other program has the wallets open. Asked only if the app cannot see that. */
  isClosed: z.optional(z.boolean()),
  /** For a rescan: its start. The default is the lowest block of the node. */
  rescanFrom: z.optional(
    z.discriminatedUnion('by', [
      z.object({ by: z.literal('height'), height: count }),
      z.object({ by: z.literal('time'), time: unixSeconds }),
    ]),
  ),
});
export type Answers = z.infer<typeof answers>;

/** What the user wants done with one wallet or file. */
export const planRequest = z.object({
  action: planAction,
  source: walletSource,
  answers,
  /** A first name for the new wallet. Without it, the file's own name is suggested. */
  suggestedName: z.optional(textUpTo(4096)),
});
export type PlanRequest = z.infer<typeof planRequest>;

/** A question to the user, with its own check. */
export const questionShape = z.discriminatedUnion('ask', [
  /** A name for the new wallet: the answer, or a suggestion that is free. `free`: one to use instead of a name that is taken. */
  z.object({ ask: z.literal('name'), value: z.string(), check, free: z.optional(z.string()) }),
  /** Where a new backup goes: a full path; empty until it is answered. */
  z.object({ ask: z.literal('destination'), value: z.string(), check }),
  z.object({
    ask: z.literal('passphrase'),
    /** False if the app does not know whether the wallet is encrypted. */
    needed: z.boolean(),
    /** Whether the app can try it on the wallet's file before it sends anything. */
    canBeTried: z.boolean(),
    /** About how long a try takes on this computer; null for a moment, or if unknown. */
    secondsPerTry: z.nullable(count),
    /** If it can be omitted: `keys` counts the private keys that need none, `value` is the answer. */
    openOnly: z.optional(z.object({ value: z.boolean(), keys: count })),
  }),
  z.object({ ask: z.literal('load-on-startup'), value: z.nullable(z.boolean()) }),
  /** Only on releases that can skip the loading. */
  z.object({ ask: z.literal('load-afterwards'), value: z.boolean() }),
  z.object({ ask: z.literal('own-copy'), value: z.boolean() }),
  z.object({ ask: z.literal('read-loss'), value: z.boolean() }),
  /** The folder of the log, found or answered; empty if there is none. */
  z.object({ ask: z.literal('logs'), value: z.string(), check }),
  /** The `coin` check lists the evidence. */
  z.object({ ask: z.literal('bitcoin-keys'), value: z.boolean() }),
  z.object({ ask: z.literal('closed-elsewhere'), value: z.boolean() }),
  /** The node's wallets folder, which the node does not report; `nodes.useWalletsFolder` names it. */
  z.object({ ask: z.literal('wallets-folder'), check }),
  /** The height of the first block to scan. */
  z.object({ ask: z.literal('rescan-from'), value: count, check }),
]);
export type Question = z.infer<typeof questionShape>;

/** One call to the node, exactly as sent except for the passphrase. */
const plannedCall = z.object({
  method: z.string(),
  /** Dots stand for a passphrase. */
  params: z.union([z.array(z.json()), z.record(z.string(), z.json())]),
  /** Of the `/wallet/<name>` path; null for the root path. */
  wallet: z.nullable(nodeText),
  /** The condition for sending it, in a sentence; null: always. */
  when: z.nullable(z.string()),
});
export type PlannedCall = z.infer<typeof plannedCall>;

const total = z.object({ total: count });

export const plan = z.object({
  /** Names the stored plan while the app runs. */
  id: z.string(),
  action: planAction,
  /** The kind of job that runs it. */
  kind: jobKind,
  source: walletSource,
  /** The wallet to change or create; the empty string is the unnamed one. */
  wallet: nodeText,
  /** The node at the time of the plan. */
  node: z.extend(
    z.pick(nodeStatus, { label: true, local: true, offline: true, network: true, release: true }),
    { identity: nodeIdentity },
  ),
  /** Facts from the file. A null fact could not be seen. */
  facts: z.object({
    /** Of a chosen file, by its first bytes. */
    file: z.nullable(fileFacts),
    /** Of the wallet's file on this machine. */
    path: z.nullable(path),
    sha256: z.nullable(sha256),
    /** For a rescue: what can be saved, with the passphrase once a right one was tried. `contents` describes that. */
    rescue: z.nullable(rescueFacts),
    contents: z.nullable(
      z.extend(
        z.pick(inspection, {
          kind: true,
          incomplete: true,
          network: true,
          coin: true,
          file: true,
          encryption: true,
          keysId: true,
          birth: true,
          keys: true,
          balance: true,
          lastWrittenBy: true,
          flags: true,
          problems: true,
          conditions: true,
          migration: true,
        }),
        { transactions: total, descriptors: total, scripts: total, labels: total },
      ),
    ),
  }),
  /** Blockers first, then warnings. */
  checks: z.array(check),
  asks: z.array(questionShape),
  /** What the offline engine could migrate instead: this file, or another if the app cannot see it. Null: no offer. */
  elsewhere: z.nullable(z.enum(['this-file', 'another-file'])),
  /** Calls that the app sends to read the wallet's file: a node that has it open writes a copy. */
  sent: z.array(plannedCall),
  /** All calls of the job, in order. */
  calls: z.array(plannedCall),
  /** The new wallets. Empty for a backup. */
  makes: z.array(
    z.object({
      part: walletPart,
      name: nodeText,
      /** The number of its descriptors; null if unknown. */
      descriptors: z.nullable(count),
      /** Whether it will certainly exist. False if the app could not read the file. */
      certain: z.boolean(),
    }),
  ),
  /**
   * Other wallets: those that the job renames to free the name, and incomplete ones that stay. `now`: the path before the job.
   * `newName`, `path`: those after it. A path on another machine is null.
   */
  movedWallets: z.optional(
    z.array(z.object({ name: nodeText, newName: nodeText, path: z.nullable(path), now: z.nullable(path) })),
  ),
  /** Of a backup: the wallet was put back under another name, and is only kept. */
  isKept: z.optional(z.literal(true)),
  /** The copies that the job makes first, each in a sentence; `folder` if known. */
  copies: z.array(z.object({ text: z.string(), folder: z.nullable(path) })),
});
export type Plan = z.infer<typeof plan>;

/** A migration of a copy, whose result is thrown away. */
export const rehearsal = z.object({
  /** The new wallets, each inspected in its new file. */
  wallets: z.array(z.object({ part: walletPart, name: z.string(), found: inspection })),
  proof: migrationProof,
});
export type Rehearsal = z.infer<typeof rehearsal>;

/** Questions that need an answer before the plan can run. */
export type RequiredQuestion = 'passphrase' | (typeof CONFIRMATIONS)[number];

const CONFIRMATIONS = ['own-copy', 'read-loss', 'bitcoin-keys', 'closed-elsewhere'] as const;

/** The first reason why a plan cannot run, or null. `hasPassphrase`: whether one is typed. */
export function findBlocker(
  plan: Pick<Plan, 'checks' | 'asks'>,
  hasPassphrase: boolean,
): { check: Check } | { ask: RequiredQuestion } | null {
  const check = checksOf(plan).find(({ verdict }) => verdict === 'blocker');
  if (check) return { check };
  const open = plan.asks.find((one) => needsAnswer(one, hasPassphrase));
  return open ? { ask: open.ask } : null;
}

export function needsAnswer(
  one: Question,
  hasPassphrase: boolean,
): one is Extract<Question, { ask: RequiredQuestion }> {
  if (one.ask === 'passphrase') return one.needed && !hasPassphrase;
  return CONFIRMATIONS.some((ask) => ask === one.ask) && 'value' in one && one.value === false;
}

/** The checks of the plan and of its questions. */
export function checksOf({ checks, asks }: Pick<Plan, 'checks' | 'asks'>): Check[] {
  return [...checks, ...asks.flatMap((one) => ('check' in one ? [one.check] : []))];
}

/** Whether a check is worse in the plan made now than in the one shown before. */
export function checksGotWorse(planBefore: Pick<Plan, 'checks' | 'asks'>, now: typeof planBefore): boolean {
  // Several checks can share an id. The worst counts.
  const before = (id: Check['id']) =>
    Math.max(
      ...checksOf(planBefore).map((check) => (check.id === id ? SEVERITY[check.verdict] : SEVERITY.fine)),
    );
  return checksOf(now).some(({ id, verdict }) => SEVERITY[verdict] > Math.max(SEVERITY.unseen, before(id)));
}

/** The question of this kind, if the plan has it. */
export function questionOf<A extends Question['ask']>(
  { asks }: Pick<Plan, 'asks'>,
  kind: A,
): Extract<Question, { ask: A }> | undefined {
  return asks.find((one): one is Extract<Question, { ask: A }> => one.ask === kind);
}
