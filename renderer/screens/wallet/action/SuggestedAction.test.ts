import { describe, expect, it } from 'vitest';
import { needsRescue } from '../../../../shared/model/inspection.ts';
import type { Connection, FoundNode, NodeStatus } from '../../../../shared/model/node.ts';
import { sampleInspection } from '../../../../shared/testing/sampleInspection.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { labelOf, nodeOptionsFor } = await import('./SuggestedAction.tsx');

const status = (change: Partial<NodeStatus> = {}) => sampleNodeStatus({ network: 'main', ...change });
const connected = (node: NodeStatus): Connection => ({ state: 'connected', node });
const found = (id: string, node: NodeStatus): FoundNode => ({
  id,
  dataFolder: '/d',
  network: node.network,
  address: node.address,
  credentials: 'cookie',
  state: { state: 'ready', node },
});
const none: Connection = { state: 'none' };
const kinds = (known: Partial<Parameters<typeof nodeOptionsFor>[0]>) =>
  nodeOptionsFor({
    network: 'main',
    kind: 'legacy',
    rescues: false,
    connection: none,
    found: [],
    ...known,
  }).map((option) => (option.by === 'found' ? option.id : option.by));

describe('nodeOptionsFor', () => {
  it('chooses a connected node of the network, else the engine', () => {
    expect(kinds({})).toEqual(['engine']);
    expect(kinds({ connection: connected(status()) })).toEqual(['in-use', 'engine']);
    expect(kinds({ connection: connected(status({ network: 'regtest' })) })).toEqual(['engine']);
    expect(kinds({ connection: connected(status({ local: false })) })).toEqual(['engine']);
  });

  it('tells two nodes of one release apart by their addresses', () => {
    const other = status({ address: { host: '127.0.0.1', port: 8432, tls: false } });
    const labels = (nodes: FoundNode[]) => {
      const options = nodeOptionsFor({
        network: 'main',
        kind: 'descriptor',
        rescues: false,
        connection: none,
        found: nodes,
      });
      return options.map((option) => labelOf(option, options)).filter((label) => !label.includes('without'));
    };
    expect(labels([found('a', status())])).toEqual(['On your Bitcoin Core 28.1']);
    expect(labels([found('a', status()), found('b', other)])).toEqual([
      expect.stringMatching(/^On your Bitcoin Core 28\.1 · 127\.0\.0\.1:\d+$/),
      'On your Bitcoin Core 28.1 · 127.0.0.1:8432',
    ]);
  });

  it('uses the running engine instead of starting another', () => {
    expect(kinds({ connection: connected(status({ offline: true })) })).toEqual(['in-use']);
    const other = connected(status({ offline: true, network: 'signet' }));
    expect(kinds({ connection: other })).toEqual(['engine']);
  });

  it('prefers a ready local node of the network that migrates to the engine', () => {
    const old = { number: 230000, text: '23.0', migrates: 'no', loadsLegacy: true } as const;
    const nodes = [
      found('other network', status({ network: 'signet' })),
      found('too old', status({ release: old })),
      found('fits', status()),
      { ...found('starting', status()), state: { state: 'starting', message: 'Loading' } } as const,
    ];
    expect(kinds({ found: nodes })).toEqual(['fits', 'engine']);
    expect(kinds({ found: nodes, connection: connected(status({ offline: true })) })).toEqual([
      'in-use',
      'fits',
    ]);
  });
});

describe('a node with an unknown wallets folder', () => {
  const on31 = { number: 310000, text: '31.0', migrates: 'yes', loadsLegacy: false } as const;
  const unknown = status({ release: on31, walletsFolder: null });

  it('comes after the engine if a copy must be placed in its folder', () => {
    expect(kinds({ connection: connected(unknown) })).toEqual(['engine', 'in-use']);
    expect(kinds({ found: [found('unknown', unknown)] })).toEqual(['engine', 'unknown']);
    expect(
      kinds({
        found: [found('unknown', unknown), found('known', status({ release: on31, walletsFolder: '/w' }))],
      }),
    ).toEqual(['known', 'engine', 'unknown']);
    expect(kinds({ rescues: true, connection: connected(status({ walletsFolder: null })) })).toEqual([
      'engine',
      'in-use',
    ]);
  });

  it('comes first if it restores the file itself', () => {
    expect(kinds({ kind: 'descriptor', connection: connected(unknown) })).toEqual(['in-use', 'engine']);
    expect(kinds({ connection: connected(status({ walletsFolder: null })) })).toEqual(['in-use', 'engine']);
  });
});

describe('needsRescue', () => {
  const legacy = sampleInspection();
  const { migration } = legacy;

  it('is true of wallets that no node migrates before a rescue', () => {
    expect(needsRescue(legacy)).toBe(false);
    for (const hazard of ['unowned-labels', 'unreadable-labels', 'chain-gap', 'unused-seed'] as const)
      expect(needsRescue({ ...legacy, migration: migration && { ...migration, hazards: [hazard] } })).toBe(
        true,
      );
  });

  it('is true of what aborts a migration, and of a file that a node refuses for its form', () => {
    const unownedTransactions = { total: 1, shown: [] };
    expect(needsRescue({ ...legacy, migration: migration && { ...migration, unownedTransactions } })).toBe(
      true,
    );
    const { file } = legacy;
    const rescues = (change: object) =>
      needsRescue({ ...legacy, file: { ...file, format: { ...file.format, ...change } } });
    expect(rescues({ cleanlyClosed: false })).toBe(true);
    for (const reason of ['version', 'length', 'tree']) expect(rescues({ refusals: [reason] })).toBe(true);
    // Only old releases refuse it.
    expect(rescues({ refusals: ['partial-page'] })).toBe(false);
  });

  it('is true of a descriptor wallet with losses', () => {
    const descriptor = { ...legacy, kind: 'descriptor' as const };
    const problem = { page: 2, finding: { code: 'no_main_database' }, lost: true } as const;
    expect(needsRescue({ ...descriptor, problems: [] })).toBe(false);
    expect(needsRescue({ ...descriptor, problems: [{ ...problem, lost: false }] })).toBe(false);
    expect(needsRescue({ ...descriptor, problems: [problem] })).toBe(true);
  });
});
