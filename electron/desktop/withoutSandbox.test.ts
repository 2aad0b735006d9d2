import { describe, expect, it } from 'vitest';
import { asksAboutSandbox, OPEN_WITHOUT_SANDBOX, withoutSandboxQuestion } from './withoutSandbox.ts';

describe('a start without a sandbox', () => {
  const appImage = { packaged: true, noSandbox: true, user: 1000 };
  it.each([
    ['of a package', appImage, true],
    ['of a package on Windows', { ...appImage, user: undefined }, true],
    ['as root, who has none', { ...appImage, user: 0 }, false],
    ['from the sources', { ...appImage, packaged: false }, false],
    ['that has one', { ...appImage, noSandbox: false }, false],
  ])('%s', (_, start, asked) => {
    expect(asksAboutSandbox(start)).toBe(asked);
  });

  it('is not gone on with by the key that comes first, nor by closing the question', () => {
    const { buttons, defaultId, cancelId, detail } = withoutSandboxQuestion();
    expect(buttons[OPEN_WITHOUT_SANDBOX]).toBe('Open without sandbox');
    expect([defaultId, cancelId].map((id) => buttons[id])).toEqual(['Quit', 'Quit']);
    expect(detail).toContain('deb');
  });
});
