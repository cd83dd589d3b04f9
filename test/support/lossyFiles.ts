import { join } from 'node:path';
import type { Files, OpenFile } from '../../operators/checkpoints/files.ts';

/** What a name stands for. `synced` is what a power cut leaves for certain. */
interface File {
  now: Uint8Array;
  synced: Uint8Array;
}
/** What was done to names since the folder was synced; a power cut may undo any of it, and leave the rest. */
type Step = (names: Map<string, Node>) => void;
interface Folder {
  now: Map<string, Node>;
  synced: Map<string, Node>;
  unsynced: Step[];
}
type Node = File | Folder;

const newFolder = (): Folder => ({ now: new Map(), synced: new Map(), unsynced: [] });
const isFolder = (node: Node | undefined): node is Folder => node !== undefined && 'unsynced' in node;
const failure = (code: string): Error => Object.assign(new Error(code), { code });

export class PowerCut extends Error {}

/** Files in memory, which lose what was not synced when the power is cut, and what becomes of them after that. */
export class LossyFiles implements Files {
  /** How many more operations there will be until the power is cut. */
  left: number = Infinity;
  /** What comes between two operations: others may have their turn. */
  pause: () => Promise<void> = () => Promise.resolve();
  private readonly random: () => number;
  private readonly root: Folder;

  constructor(random: () => number, root: Folder = newFolder()) {
    this.random = random;
    this.root = root;
  }

  mkdir(path: string): Promise<string | undefined> {
    return this.step(() => {
      let at = this.root, walked = '/', first: string | undefined;
      for (const name of namesOf(path)) {
        walked = join(walked, name);
        if (!at.now.has(name)) {
          first ??= walked;
          const made = newFolder();
          change(at, (names) => names.set(name, made));
        }
        at = this.folder(walked);
      }
      return first;
    });
  }

  readdir(path: string): Promise<string[]> {
    return this.step(() => [...this.folder(path).now.keys()].sort(() => this.random() - 0.5));
  }

  readFile(path: string): Promise<Uint8Array> {
    return this.step(() => this.file(path).now.slice());
  }

  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile> {
    return this.step(() => {
      if (flags === 'wx') {
        const [folder, name] = this.parent(path);
        if (folder.now.has(name)) throw failure('EEXIST');
        const made: File = { now: new Uint8Array(), synced: new Uint8Array() };
        change(folder, (names) => names.set(name, made));
      }
      const node = this.node(path);
      return {
        read: (buffer, offset, length, position) =>
          this.step(() => {
            const bytes = (node as File).now.subarray(position, position + length);
            buffer.set(bytes, offset);
            return { bytesRead: bytes.length };
          }),
        writeFile: (bytes) =>
          this.step(() => {
            const file = node as File;
            file.now = Uint8Array.from([...file.now, ...bytes]);
          }),
        sync: () =>
          this.step(() => {
            if (isFolder(node)) [node.synced, node.unsynced] = [new Map(node.now), []];
            else node.synced = node.now;
          }),
        close: () => this.step(() => undefined),
      };
    });
  }

  link(existing: string, path: string): Promise<void> {
    return this.step(() => {
      const file = this.file(existing);
      const [folder, name] = this.parent(path);
      if (folder.now.has(name)) throw failure('EEXIST');
      change(folder, (names) => names.set(name, file));
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.step(() => {
      const file = this.file(from);
      const [folder, old] = this.parent(from), [, name] = this.parent(to);
      change(folder, (names) => (names.delete(old), names.set(name, file)));
    });
  }

  unlink(path: string): Promise<void> {
    return this.step(() => {
      this.file(path);
      const [folder, name] = this.parent(path);
      change(folder, (names) => names.delete(name));
    });
  }

  /** The files after a power cut: all that was synced, and of the rest what chance leaves. */
  survivors(): LossyFiles {
    const survived = new Map<Node, Node>();
    const survivor = (node: Node): Node => {
      const known = survived.get(node);
      if (known) return known;
      if (!isFolder(node)) {
        const bytes = this.contents(node);
        const file = { now: bytes, synced: bytes };
        survived.set(node, file);
        return file;
      }
      const names = new Map(node.synced);
      for (const step of node.unsynced) if (this.random() < 0.5) step(names);
      const now = new Map(Array.from(names, ([name, child]) => [name, survivor(child)]));
      return { now, synced: new Map(now), unsynced: [] };
    };
    return new LossyFiles(this.random, survivor(this.root) as Folder);
  }

  private contents({ now, synced }: File): Uint8Array {
    if (now === synced || this.random() < 0.3) return synced;
    const torn = now.slice(0, Math.floor(this.random() * (now.length + 1)));
    if (torn.length > 0 && this.random() < 0.3) torn[Math.floor(this.random() * torn.length)]! ^= 0xff;
    return torn;
  }

  private async step<T>(work: () => T): Promise<T> {
    await this.pause();
    if (this.left <= 0) throw new PowerCut();
    this.left -= 1;
    // The last operation takes place, or not.
    if (this.left === 0 && this.random() < 0.5) throw new PowerCut();
    const done = work();
    if (this.left === 0) throw new PowerCut();
    return done;
  }

  private node(path: string): Node {
    let at: Node | undefined = this.root;
    for (const name of namesOf(path)) at = isFolder(at) ? at.now.get(name) : undefined;
    if (at === undefined) throw failure('ENOENT');
    return at;
  }

  private folder(path: string): Folder {
    const node = this.node(path);
    if (!isFolder(node)) throw failure('ENOTDIR');
    return node;
  }

  private file(path: string): File {
    const node = this.node(path);
    if (isFolder(node)) throw failure('EISDIR');
    return node;
  }

  private parent(path: string): [folder: Folder, name: string] {
    const names = namesOf(path);
    return [this.folder(names.slice(0, -1).join('/')), names.at(-1)!];
  }
}

function change(folder: Folder, step: Step): void {
  step(folder.now);
  folder.unsynced.push(step);
}

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '');
