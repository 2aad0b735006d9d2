import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import type { CodeTable } from '../../model/findings/coded.ts';
import { type Fault, fault, faults } from '../../model/findings/faults.ts';
import { FileError } from '../../model/findings/fileError.ts';
import { type FileKind, fileKind, fileKinds } from '../../model/findings/fileKinds.ts';
import { type Finding, finding, findings, proofFaults } from '../../model/findings/finding.ts';
import { faultText } from './faultWords.ts';
import { fileKindAdvice, fileKindText } from './fileKindWords.ts';
import { errorShapeOf, findingHint, findingText } from './findingWords.ts';

/** Tells each fact of a sample from all others. */
let samples = 100;

/** Facts that a shape lets pass. */
function sample(shape: unknown): unknown {
  if (shape instanceof z.ZodMiniNumber || shape instanceof z.ZodMiniString) samples += 1;
  if (shape instanceof z.ZodMiniNumber) return samples;
  if (shape instanceof z.ZodMiniString) return `x${samples}`;
  if (shape instanceof z.ZodMiniEnum) return shape.options[0];
  if (shape instanceof z.ZodMiniNullable || shape instanceof z.ZodMiniReadonly)
    return sample(shape.def.innerType);
  if (shape instanceof z.ZodMiniArray) return [sample(shape.def.element)];
  if (shape instanceof z.ZodMiniUnion) return sample(shape.def.options[0]);
  if (shape instanceof z.ZodMiniObject)
    return Object.fromEntries(Object.entries(shape.shape).map(([name, each]) => [name, sample(each)]));
  const nested = [{ code: 'page_missing', page: 7 }, { code: 'pdf' }, { code: 'descriptors_overlap' }];
  return nested.find((one) => shape instanceof z.ZodMiniType && shape.safeParse(one).success);
}

const samplesOf = (table: CodeTable) =>
  Object.entries(table).map(([code, facts]) => ({
    code,
    ...Object.fromEntries(Object.entries(facts).map(([name, shape]) => [name, sample(shape)])),
  }));

/** The sample's own numbers and names that the text lacks; not those in its lists and parts. */
const missingIn = (text: string, one: Record<string, unknown>) =>
  Object.values(one)
    .filter((fact) => typeof fact === 'number' || /^x\d/.test(String(fact)))
    .filter((fact) => !text.includes(String(fact)));

describe('the words of each code', () => {
  it.each(samplesOf(findings))('$code: a sentence, and a hint or none', (one) => {
    const known = finding.parse(one) as Finding;
    expect(findingText(known)).toMatch(/^[\p{Lu}\dx][^{}]*\S$/u);
    expect(findingHint(known)).toMatch(/^(?:\p{Lu}[^{}]*\.)?$/u);
    // Its time is told in minutes.
    if (one.code !== 'work_too_long')
      expect(missingIn(`${findingText(known)} ${findingHint(known)}`, one)).toEqual([]);
  });

  it('have no hint only where a finding stands in a list of problems', () => {
    const all = samplesOf(findings).map((one) => finding.parse(one) as Finding);
    expect(all.filter((one) => findingHint(one) === '').map(({ code }) => code)).toEqual(
      [
        'main_database_unnamed page_count_differs entries_outside_tree more_problems',
        'changes_in_wal sqlite_not_asked changes_read_from_log change_undone_by_journal journal_of_other_file',
        'journal_damaged not_surely_bitcoin keys_do_not_fit encrypted_keys_repeat',
        'addresses_without_key addresses_do_not_fit addresses_unproved descriptor_without_key only_addresses keys_excluded keys_locked keys_damaged',
        'keys_missing keys_not_encrypted master_key_missing passphrase_cannot_be_proved',
        'records_of_type_unreadable records_of_unknown_types transactions_damaged',
        'transactions_invalid transaction_in_future newer_release_needed',
        'more_than_all_bitcoin descriptors_unreadable balance_lacks_addresses',
        'balance_lacks_hardened_addresses half_migrated empty_wallet',
      ].flatMap((line) => line.split(' ')),
    );
  });

  it.each(samplesOf(faults))('$code: a clause', (one) => {
    const text = faultText(fault.parse(one) as Fault);
    expect(text).toMatch(/^[^{}]*[^{}.]$/);
    expect(missingIn(text, one)).toEqual([]);
  });

  it.each(samplesOf(fileKinds))('$code: a noun, and advice for what is no wallet of Bitcoin Core', (one) => {
    const known = fileKind.parse(one) as FileKind;
    expect(fileKindText(known)).toMatch(/^[^{}]*[^{}.]$/);
    expect(missingIn(`${fileKindText(known)} ${fileKindAdvice(known)}`, one)).toEqual([]);
    const isWallet = known.code === 'descriptor_wallet' || known.code === 'legacy_wallet';
    expect(fileKindAdvice(known)).toEqual(isWallet ? null : expect.stringMatching(/^\p{Lu}.*\.$/u));
  });

  it.each(samplesOf(proofFaults))('$code: in the refusal of a migration', (one) => {
    const faults = { total: 1, shown: [one] };
    const known = finding.parse({ code: 'proof_failed', faults }) as Finding;
    expect(findingText(known)).toMatch(/would differ\. [^{}]+$/);
    expect(missingIn(findingText(known), one)).toEqual([]);
  });
});

describe('the sentence', () => {
  it.each<[Finding, string]>([
    [
      { code: 'wallet_damaged', fault: { code: 'page_repeated', page: 7 } },
      'Damaged wallet file: page 7 named twice.',
    ],
    [{ code: 'no_main_database' }, 'No database named main.'],
    [{ code: 'more_problems', count: 12 }, 'And 12 more.'],
    [{ code: 'work_too_long', seconds: 120 }, 'Stopped after 2 min.'],
    [{ code: 'data_folder_shared', folder: '/x', how: 'writable-by-others' }, 'Other users can write to /x.'],
    [{ code: 'copies_folder_shared', folder: '/x', how: 'owned-by-another' }, 'Another user owns /x.'],
    [
      { code: 'half_migrated' },
      'Interrupted migration. Keep the file. Look in or beside the wallet’s folder for its .legacy.bak.',
    ],
    [{ code: 'too_many_rounds', rounds: 4_294_967_295 }, 'Too many rounds: 4,294,967,295.'],
    [
      {
        code: 'descriptor_wrong',
        function: 'sh(wsh(multi()))',
        key: 2,
        fault: { code: 'key_invalid_on_network', network: 'main' },
      },
      'In sh(wsh(multi())), key 2: key invalid on Main network.',
    ],
    [
      { code: 'descriptor_wrong', function: 'pkh()', key: null, fault: { code: 'key_missing' } },
      'In pkh(): missing key.',
    ],
    [
      { code: 'descriptor_wrong', function: '', key: null, fault: { code: 'text_after_end' } },
      'In the descriptor: text after the end.',
    ],
    [
      { code: 'network_differs', network: 'regtest', expected: 'main' },
      'Its network is Regtest, not Main network.',
    ],
    [{ code: 'descriptors_unreadable', damaged: 1, all: 8 }, 'Unreadable descriptors: 1 of 8.'],
    [
      {
        code: 'transactions_in_no_wallet',
        transactions: { total: 102, shown: Array<string>(100).fill('aa') },
      },
      `Foreign transactions: ${'aa, '.repeat(99)}aa, 2 more`,
    ],
    [
      {
        code: 'proof_failed',
        faults: {
          total: 2,
          shown: [{ code: 'script_lost', address: 'bc1q' }, { code: 'descriptors_overlap' }],
        },
      },
      'The new wallets would differ. Missing: bc1q, Two descriptors overlap',
    ],
  ])('of $code', (known, text) => {
    expect(findingText(known)).toBe(text);
  });
});

describe('the hint', () => {
  it.each<[Finding, string]>([
    [{ code: 'passphrase_needed' }, 'Nothing was changed'],
    [{ code: 'passphrase_wrong' }, 'Nothing was changed'],
    [{ code: 'passphrase_wrong_after_zero' }, 'zero byte'],
    [{ code: 'already_descriptor_wallet' }, 'Nothing was changed'],
    [{ code: 'network_differs', network: 'regtest', expected: 'main' }, 'Nothing was changed'],
    [{ code: 'work_too_long', seconds: 60 }, 'Nothing was changed'],
    [{ code: 'work_stopped' }, 'Nothing was changed'],
    [{ code: 'migration_interrupted' }, '.legacy.bak'],
    [{ code: 'transactions_in_no_wallet', transactions: { total: 1, shown: ['aa'] } }, 'removeprunedfunds'],
    [{ code: 'multisig_key_alone' }, 'descriptor'],
    [{ code: 'log_unusable' }, 'Choose its “database” folder'],
    [
      { code: 'data_folder_shared', folder: '/x', how: 'writable-by-others' },
      'Nothing was read or changed. Make /x private (mode 700), without others’ files, or set WALLET_FERRY_DATA.',
    ],
    [
      { code: 'folder_above_data_shared', folder: '/x', how: 'writable-by-others' },
      'Nothing was read or changed. Run “chmod go-w” on /x, or set WALLET_FERRY_DATA.',
    ],
    [
      { code: 'folder_above_data_shared', folder: '/x', how: 'owned-by-another' },
      'Nothing was read or changed. Set WALLET_FERRY_DATA to a folder in your home.',
    ],
    [
      { code: 'copies_folder_shared', folder: '/x', how: 'owned-by-another' },
      'No wallet was changed or copied. Quit, check /x, and make it private.',
    ],
  ])('of $code', (known, words) => {
    expect(findingHint(known)).toContain(words);
  });
});

describe('the error that a person reads', () => {
  it('has the words of what was found, and the code with its facts', () => {
    const found = { code: 'wallet_damaged', fault: { code: 'page_missing', page: 3 } } as const;
    expect(errorShapeOf(new FileError('not_a_wallet', found))).toEqual({
      code: 'not_a_wallet',
      message: 'Damaged wallet file: missing page 3.',
      hint: 'Nothing was changed. Keep the file, and try another copy.',
      finding: found,
    });
  });

  it('says of a path that is not UTF-8 why nothing is there', () => {
    expect(findingHint({ code: 'nothing_at_path', path: '/f\ufffdr.dat' })).toContain('not UTF-8');
  });

  it('keeps the node’s own words', () => {
    const node = { code: -4, message: 'Wallet loading failed.' };
    const error = new FileError('wallet_error', { code: 'network_of_other_chain' }, node);
    expect(errorShapeOf(error)).toMatchObject({ message: 'Another network’s wallet', node });
  });
});
