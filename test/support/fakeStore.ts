import type { CheckpointStore, SaveOptions, StoredCheckpoint } from '../../src/index.ts';

/** What a store does with one call of `save`, which has not been applied yet. */
export interface PendingSave extends SaveOptions {
  readonly part: Uint8Array;
  /** Puts the part into the store, or finds that somebody else did meanwhile. */
  apply(): string;
  /** Answers the caller. */
  resolve(rev: string): void;
  reject(error: unknown): void;
}

export class Conflict extends Error {
  readonly code = 'checkpoint-conflict';
}

/** A store in memory, of which a test decides when loads and saves happen. By itself everything happens at once. */
export class FakeStore implements CheckpointStore {
  parts: Uint8Array[] = [];
  revision = 0;
  /** Calls of `load` and `save`. */
  loads = 0;
  readonly saves: SaveOptions[] = [];
  /** What happens to a save; by default it is done. */
  onSave: (save: PendingSave) => void = (save) => save.resolve(save.apply());
  /** What `load` gives; by default what there is, at once. */
  onLoad: () => StoredCheckpoint | undefined | Promise<StoredCheckpoint | undefined> = () => this.stored;

  get stored(): StoredCheckpoint | undefined {
    return this.parts.length === 0 ? undefined : { parts: this.parts.map((part) => part.slice()), rev: this.rev! };
  }

  get rev(): string | undefined {
    return this.parts.length === 0 ? undefined : `r${String(this.revision)}`;
  }

  load(): StoredCheckpoint | undefined | Promise<StoredCheckpoint | undefined> {
    this.loads += 1;
    return this.onLoad();
  }

  save(part: Uint8Array, options: SaveOptions): Promise<string> {
    this.saves.push(options);
    return new Promise((resolve, reject) => this.onSave({ part: part.slice(), ...options, apply: () => this.apply(part.slice(), options), resolve, reject }));
  }

  close(): void {
    throw new Error('The store is the caller’s: nobody else closes it');
  }

  apply(part: Uint8Array, { ifRev, base }: SaveOptions): string {
    if (ifRev !== this.rev) throw new Conflict(`${String(ifRev)} where the store has ${String(this.rev)}`);
    if (!base && this.parts.length === 0) throw new Error('A delta of nothing');
    this.parts = base ? [part] : [...this.parts, part];
    this.revision += 1;
    return this.rev!;
  }
}

/** Lets promises settle that wait for nothing but one another. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 12; i++) await Promise.resolve();
}
