/**
 * `npm run texts`: writes every text for users to languages/en.json, from the calls of `say` in the sources. With a file name
 * as its argument it writes the pseudo-language there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pseudo } from './pseudoLanguage.mjs';
import { asJson, CATALOGUE, sortedTexts, translatedTexts } from './saidTexts.mjs';

const target = process.argv[2];
const texts = target ? JSON.parse(readFileSync(CATALOGUE, 'utf8')) : sortedTexts(translatedTexts());
writeFileSync(target ?? CATALOGUE, asJson(target ? pseudo(texts) : texts));
console.log(`${Object.keys(texts).length} texts in ${target ?? 'languages/en.json'}`);
