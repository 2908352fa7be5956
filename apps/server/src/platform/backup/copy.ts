import { once } from "node:events";
import type { Socket } from "node:net";
import type pg from "pg";

/** COPY messages of the driver's connection and its socket, for back-pressure; missing in its types. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(reason: string): void;
  endCopyFrom(): void;
}

const mebibyte = 1024 * 1024;

/**
 * Output of `COPY ... TO STDOUT`, in chunks of about a megabyte; PostgreSQL waits while they are not
 * consumed.
 */
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
    // A reader that stops in the middle of a table needs neither the rest nor the connection.
    if (stateOf() === "running") socket?.destroy();
  }
  const end = stateOf();
  if (end instanceof Error) throw end;

  // A function, because the compiler does not see that callbacks change the state.
  function stateOf(): typeof state {
    return state;
  }
}

/** Feeds a `COPY ... FROM STDIN`; an error of the source fails the statement. */
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

/** The driver's types know only cursors and streams, which are created in the same way. */
function submit(client: pg.ClientBase, statement: Statement): void {
  client.query(statement as unknown as pg.Submittable);
}
