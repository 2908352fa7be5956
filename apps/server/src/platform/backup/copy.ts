import { once } from "node:events";
import type { Socket } from "node:net";
import type pg from "pg";

/** What the driver's connection can do beyond its types: the messages of COPY, and the socket below for back-pressure. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(reason: string): void;
  endCopyFrom(): void;
}

const mebibyte = 1024 * 1024;

/** What a `COPY ... TO STDOUT` writes, in pieces of about a megabyte; PostgreSQL waits while nobody takes them. */
export async function* copyOut(client: pg.ClientBase, text: string): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  let held: Buffer[] = [];
  let heldBytes = 0;
  let socket: Socket | undefined;
  let wake = (): void => undefined;
  const cut = (): void => {
    if (heldBytes > 0) ready.push(Buffer.concat(held, heldBytes));
    held = [];
    heldBytes = 0;
    wake();
  };
  let state: "running" | "done" | Error = "running";
  const finish = (how: "done" | Error): void => {
    state = how;
    cut();
  };
  submit(client, {
    submit(connection) {
      socket = connection.stream;
      connection.query(text);
    },
    handleCopyData({ chunk }) {
      // The driver reads the next bytes into the buffer of this chunk.
      held.push(Buffer.from(chunk));
      heldBytes += chunk.length;
      if (heldBytes < mebibyte) return;
      cut();
      socket?.pause();
    },
    handleCommandComplete: () => undefined,
    handleError: finish,
    handleReadyForQuery: () => finish("done"),
  });
  try {
    for (;;) {
      const piece = ready.shift();
      if (piece) {
        yield piece;
        continue;
      }
      if (stateOf() !== "running") break;
      socket?.resume();
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    // Whoever stops listening in the middle of a table has no use for the rest, nor for the connection.
    if (stateOf() === "running") socket?.destroy();
  }
  const end = stateOf();
  if (end instanceof Error) throw end;

  // A function, because the compiler does not see that callbacks change the state.
  function stateOf(): typeof state {
    return state;
  }
}

/** Feeds a `COPY ... FROM STDIN`; a source that fails fails the statement. */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    let failure: Error | undefined;
    const feed = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const chunk of source) {
          if (over.signal.aborted) return;
          connection.sendCopyFromChunk(chunk);
          if (connection.stream.writableNeedDrain)
            await once(connection.stream, "drain", { signal: over.signal });
        }
        if (!over.signal.aborted) connection.endCopyFrom();
      } catch (error) {
        if (over.signal.aborted) return;
        failure = error instanceof Error ? error : new Error(String(error));
        connection.sendCopyFail("the source failed");
      }
    };
    submit(client, {
      submit: (connection) => connection.query(text),
      handleCopyInResponse: (connection) => void feed(connection),
      handleCommandComplete: () => undefined,
      handleError(error) {
        over.abort();
        reject(failure ?? error);
      },
      handleReadyForQuery: () => resolve(),
    });
  });
}

interface Statement {
  submit(connection: CopyConnection): void;
  handleCopyData?(message: { readonly chunk: Buffer }): void;
  handleCopyInResponse?(connection: CopyConnection): void;
  handleCommandComplete(): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

/** The driver's own types know only cursors and streams, which are made in the same way. */
function submit(client: pg.ClientBase, statement: Statement): void {
  client.query(statement as unknown as pg.Submittable);
}
