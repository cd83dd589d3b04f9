// @ts-check
// node tasks/index.mjs <task> <json>: what runs in a fresh process. Prints the result as JSON.
import process from 'node:process';

const [, , name, task] = process.argv;
const { default: run } = await import(`./${name}.mjs`);
process.stdout.write(JSON.stringify(await run(JSON.parse(task))), () => process.exit(0));
