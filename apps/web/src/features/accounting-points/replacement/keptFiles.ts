import { ignoreFailure } from "#lib/call";

/**
 * Photographs of a swap that is not sent yet, in the database of the browser: they survive a reload and a lost
 * connection. Without such a database they last as long as the page.
 */
export interface KeptFile {
  readonly id: string;
  readonly name: string;
  /** Which meter it shows, or the act. */
  readonly side: "closing" | "opening";
  /** Epoch seconds when it was chosen. */
  readonly at: number;
  readonly content: Blob;
}

const base = "metrum-replacement";
const table = "files";

function asPromise<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database of the browser refused"));
  });
}

async function withTable<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const opening = indexedDB.open(base, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(table);
  const database = await asPromise(opening);
  try {
    return await asPromise(work(database.transaction(table, mode).objectStore(table)));
  } finally {
    database.close();
  }
}

const hasDatabase = () => typeof indexedDB !== "undefined";

/** Files kept under a key; none when the browser keeps nothing. */
export async function readFiles(key: string): Promise<readonly KeptFile[]> {
  if (!hasDatabase()) return [];
  const kept: unknown = await withTable("readonly", (store) => store.get(key) as IDBRequest<unknown>).catch(
    ignoreFailure,
  );
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

/** False when they last only as long as the page. */
export async function keepFiles(key: string, files: readonly KeptFile[]): Promise<boolean> {
  if (!hasDatabase()) return false;
  const isStored = (done: Promise<unknown>) =>
    done.then(
      () => true,
      () => false,
    );
  return files.length === 0
    ? isStored(withTable("readwrite", (store) => store.delete(key)))
    : isStored(withTable("readwrite", (store) => store.put([...files], key)));
}

function isKept(value: unknown): value is KeptFile {
  return typeof value === "object" && value !== null && "content" in value && value.content instanceof Blob;
}
