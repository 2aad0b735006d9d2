import { describe, expect, it } from 'vitest';
import type { Check, RestoreChecks } from '../../../../shared/safety.ts';
import { madeIdentity } from '../../../../shared/testing/madeNodeStatus.ts';
import type { Look } from '../../../state/look.ts';
import type { Hashing } from '../useFileHash.ts';
import type { RestoreWay } from './restoreWay.ts';
import { whatBlocks as whatBlocksOf } from './whatBlocks.ts';

const hashed = { state: 'done', sha256: 'ab'.repeat(32) } as const;
const whatBlocks = (checking: Look<RestoreChecks>, way: RestoreWay) => whatBlocksOf(checking, way, hashed);

const check = (verdict: Check['verdict'], title: string): Check => ({
  id: 'name',
  verdict,
  title,
  looked: '',
  text: [],
  todo: [],
});
const known = (way: RestoreChecks['way'], checks: Check[] = []) =>
  ({ state: 'known', found: { node: madeIdentity(), way, checks } }) as const;

describe('whatBlocks', () => {
  it('lets go on the way that the checks found, and no other', () => {
    expect(whatBlocks(known('restore'), 'restore')).toBeNull();
    expect(whatBlocks(known('restore-migrate'), 'restore-migrate')).toBeNull();
    expect(whatBlocks(known('restore-migrate'), 'restore')).toContain('choose the file again');
  });

  it('names what stops it', () => {
    const checks = [check('stop', 'No space'), check('read', 'Pruned'), check('stop', 'Taken')];
    expect(whatBlocks(known('none', checks), 'restore')).toBe('Stopped by 2 checks: No space; Taken.');
    const sentence = [check('stop', 'There is nothing at /a.dat.')];
    expect(whatBlocks(known('none', sentence), 'restore')).toBe(
      'Stopped by a check: There is nothing at /a.dat.',
    );
  });

  it('waits for the checks, also for those that are made again', () => {
    const before = { node: madeIdentity(), way: 'restore', checks: [] } satisfies RestoreChecks;
    expect(whatBlocks({ state: 'looking', before }, 'restore')).toContain('still looking');
    const error = { code: 'busy', message: 'x', hint: 'y' } as const;
    expect(whatBlocks({ state: 'failed', error }, 'restore')).toContain('could not be made');
  });

  it('waits until it is known by its SHA-256 which file was seen', () => {
    const blocks = (hashing: Hashing) => whatBlocksOf(known('restore'), 'restore', hashing);
    expect(blocks({ state: 'running', fraction: 0.5, cancel: () => undefined })).toContain(
      'still reading the file',
    );
    expect(blocks({ state: 'failed', error: { code: 'file_changed', message: 'x', hint: 'y' } })).toContain(
      'nothing is started',
    );
    // On the node's machine, where the app cannot look.
    expect(blocks({ state: 'none' })).toBeNull();
  });
});
