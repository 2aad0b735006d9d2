import { describe, expect, it, vi } from 'vitest';
import { asksAboutSandbox, OPEN_WITHOUT_SANDBOX, withoutSandboxQuestion } from './startDialogs.ts';

vi.mock('electron', () => ({}));

describe('the question about a start without a sandbox', () => {
  const appImage = { packaged: true, user: 1000 };
  it.each([
    ['comes from a package', appImage, true],
    ['comes from a package on Windows', { ...appImage, user: undefined }, true],
    ['does not come to root', { ...appImage, user: 0 }, false],
    ['does not come from the sources', { ...appImage, packaged: false }, false],
  ])('%s', (_, start, asks) => {
    expect(asksAboutSandbox(start)).toBe(asks);
  });

  it('quits by default and when the user closes it', () => {
    const { buttons, defaultId, cancelId, detail } = withoutSandboxQuestion();
    expect(buttons[OPEN_WITHOUT_SANDBOX]).toBe('Open without sandbox');
    expect([defaultId, cancelId].map((id) => buttons[id])).toEqual(['Quit', 'Quit']);
    expect(detail).toContain('deb');
  });
});
