/** A copy of a recorded wallet on a stick of the user's, so that its folder can be written to. */
import { mkdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';

/** The path of the copy, which is called `as`. */
export async function ontoStick(fixture: FixtureName, home: string, as = `${fixture}.dat`): Promise<string> {
  mkdirSync(join(home, 'stick'), { recursive: true });
  const file = join(home, 'stick', as);
  await copyFile(fixtureFile(fixture), file);
  return file;
}
