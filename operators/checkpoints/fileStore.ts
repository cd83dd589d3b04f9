import * as files from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CheckpointStore } from '../../src/index.ts';
import { FolderMedium } from './folderMedium.ts';
import { queuedStore } from './queuedStore.ts';

/**
 * A store in a folder of its own, for Node: what a save acknowledged outlives the program and the machine's power.
 *
 * One file for each part. A save writes a temporary file, syncs it, puts it under its name, syncs the folder, and only then
 * resolves; a base takes the files before it away. Whatever moment a crash comes at, the last save that resolved is there.
 * Two programs may open one folder: whose save comes second gets `checkpoint-conflict`.
 *
 * @param folder Made with the first save where it is missing. Other files in it are left alone.
 * @throws CheckpointError, from `load` and `save`: `checkpoint-damaged` where files were changed, cut off or taken away,
 *   `checkpoint-full` where the disk is, `checkpoint-failed` for all else that the system says.
 * @example
 * const store = fileStore('state/revenue');
 */
export function fileStore(folder: string): CheckpointStore {
  const path = resolve(folder); // now: the program may change its working directory
  return queuedStore(`the folder ${path}`, new FolderMedium(path, files));
}
