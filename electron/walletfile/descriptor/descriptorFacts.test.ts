/** Reads, writes and expands every descriptor that real nodes printed for the recorded wallets. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../script/address.ts';
import { factsOf, type NodeView, walletNames } from '../testing/wallets.ts';
import { isRanged, type PrivateKeys } from './descriptor.ts';
import { type Expansion, expander } from './descriptorExpand.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { writeNormalised, writePrivate, writePublic } from './descriptorWrite.ts';
import { inferDescriptor, knownScriptsOf } from './inferDescriptor.ts';

const network = 'regtest';

/** The wallets of all recordings: `legacy-hd, 31.0, wallet_name`. */
const wallets = walletNames.flatMap((name) => {
  const recording = factsOf(name);
  const found: [title: string, facts: NodeView][] = [];
  if (recording.before.listdescriptors) found.push([name, recording.before]);
  for (const [release, { wallets }] of Object.entries(recording.after_by_release ?? {})) {
    for (const [kind, facts] of Object.entries(wallets)) found.push([`${name}, ${release}, ${kind}`, facts]);
  }
  return found;
});

const parse = (text: string) => parseDescriptor(text, { network, checksum: 'required' });

/** Private keys of all descriptors that were listed with them. */
function keysOf(facts: NodeView): PrivateKeys {
  const listed = facts.listdescriptors_private?.descriptors ?? [];
  return new Map(listed.flatMap(({ desc }) => [...parse(desc).privateKeys]));
}

/** Everything that the wallet's descriptors give, by script. */
function expansionsOf(facts: NodeView): Map<string, Expansion> {
  const privateKeys = keysOf(facts);
  const found = new Map<string, Expansion>();
  for (const { desc, range: [first, last] = [0, 0] } of facts.listdescriptors?.descriptors ?? []) {
    const { descriptor } = parse(desc);
    // Hardened children of a wallet that printed no private keys cannot be derived.
    if (desc.includes('/*h') && privateKeys.size === 0) continue;
    const at = expander(descriptor, { privateKeys });
    for (let index = first; index <= last; index++) {
      const expansion = at(index);
      for (const script of expansion.scripts) found.set(bytesToHex(script), expansion);
    }
  }
  return found;
}

describe.each(wallets)('%s', (_, facts) => {
  const listed = facts.listdescriptors?.descriptors ?? [];
  const listedPrivate = facts.listdescriptors_private?.descriptors ?? [];

  it.runIf(listed.length > 0)('has public descriptors that are read and written back', () => {
    for (const { desc, range } of listed) {
      const { descriptor, privateKeys } = parse(desc);
      expect(privateKeys.size).toBe(0);
      expect(isRanged(descriptor)).toBe(range !== undefined);
      expect(writePublic(descriptor)).toBe(desc);
    }
  });

  it.runIf(listedPrivate.length > 0)('has private descriptors that give the public ones', () => {
    const found = listedPrivate.map(({ desc }) => {
      const { descriptor, privateKeys } = parse(desc);
      expect(writePrivate(descriptor, privateKeys)).toBe(desc);
      return writeNormalised(descriptor, { privateKeys });
    });
    // The two lists are each sorted by their own text.
    expect(found.toSorted()).toEqual(listed.map(({ desc }) => desc).toSorted());
  });

  it.runIf(listed.length > 0)('has the scripts and addresses that were paid to', () => {
    const expansions = expansionsOf(facts);
    const addresses = new Set(
      [...expansions.values()].flatMap(({ scripts }) => scripts.map((script) => addressOf(script, network))),
    );
    const complete =
      facts.listdescriptors_private !== undefined || !listed.some(({ desc }) => desc.includes('/*h'));
    for (const { scriptPubKey, address, desc, solvable } of facts.listunspent) {
      const expansion = expansions.get(scriptPubKey);
      if (!complete && !expansion) continue;
      expect(expansion).toBeDefined();
      if (address) expect(addresses).toContain(address);
      if (!expansion || !desc || !solvable) continue;
      const script = expansion.scripts.find((candidate) => bytesToHex(candidate) === scriptPubKey);
      const known = knownScriptsOf(expansion.keys, expansion.innerScripts);
      expect(script && writePublic(inferDescriptor(script, known, network))).toBe(desc);
    }
    if (!complete) return;
    // Addresses that are only in the address book have received nothing.
    for (const { address, amount } of facts.listreceivedbyaddress) {
      if (amount > 0) expect(addresses).toContain(address);
    }
  });
});
