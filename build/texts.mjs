/**
 * `npm run texts`: writes every text that a user reads to languages/en.json, from the calls of `say` in the code.
 * With a file name behind it, writes the pseudo-language there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pseudo } from './pseudoLanguage.mjs';
import { allSaid, asJson, CATALOGUE, sortedTexts } from './saidTexts.mjs';

const target = process.argv[2];
const texts = target ? JSON.parse(readFileSync(CATALOGUE, 'utf8')) : sortedTexts(allSaid());
writeFileSync(target ?? CATALOGUE, asJson(target ? pseudo(texts) : texts));
console.log(`${Object.keys(texts).length} texts in ${target ?? 'languages/en.json'}`);
