/** What the file store asks of the file system: a part of `node:fs/promises`, so that tests can lose what was not synced. */
export interface Files {
  mkdir(path: string, options: { readonly recursive: true }): Promise<string | undefined>;
  readdir(path: string): Promise<string[]>;
  readFile(path: string): Promise<Uint8Array>;
  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The code of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}
