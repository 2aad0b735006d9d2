import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTestFolder } from '../files/testing/testFolder.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
  vi.resetModules();
  const options = { ...new Intl.PluralRules().resolvedOptions(), locale: 'en-US' };
  vi.spyOn(Intl.PluralRules.prototype, 'resolvedOptions').mockReturnValue(options);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Loads the module with a language file of this name and content, or without one. */
async function loadWith(name?: string, content = ''): Promise<{ region: string; next: string }> {
  if (name !== undefined) {
    writeFileSync(join(folder, name), content);
    vi.stubEnv('WALLET_FERRY_LANGUAGE', join(folder, name));
  }
  await import('./setLanguage.ts');
  const { say, currentLocale } = await import('../../shared/wording/say.ts');
  return { region: currentLocale().region, next: say('Next') };
}

describe('the language of a process', () => {
  it('is English, with the numbers and dates of the user’s region', async () => {
    expect(await loadWith()).toEqual({ region: 'en-US', next: 'Next' });
  });

  it('is the language of the file in WALLET_FERRY_LANGUAGE', async () => {
    expect(await loadWith('de.json', '{"Next":"Weiter"}')).toEqual({ region: 'de', next: 'Weiter' });
  });

  it.each([
    ['no JSON', 'de.json', '{'],
    ['no catalogue', 'de.json', '{"Next":1}'],
    ['a list', 'de.json', '["Weiter"]'],
    ['nothing', 'de.json', 'null'],
    ['no language as its name', 'no language.json', '{"Next":"Weiter"}'],
  ])('is English with a message for a file with %s', async (_, name, content) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await loadWith(name, content)).toEqual({ region: 'en-US', next: 'Next' });
    expect(write).toHaveBeenCalledWith(expect.stringContaining('The app speaks English.'));
  });
});
