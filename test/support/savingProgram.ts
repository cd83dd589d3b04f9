import { writeSync } from 'node:fs';
import { fileStore } from '../../operators/checkpoints/fileStore.ts';
import { numberedPart, partNumber } from './numberedPart.ts';

/** Saves on and on into the folder that it is given, goes on from what is there, and prints the number of each save as it is acknowledged. */
const store = fileStore(process.argv[2]!);
const loaded = await store.load();
let rev = loaded?.rev;
for (let save = loaded ? partNumber(loaded.parts.at(-1)!) + 1 : 0; ; save++) {
  rev = await store.save(numberedPart(save), { ifRev: rev, base: save % 5 === 0 });
  writeSync(1, `${save}\n`);
}
