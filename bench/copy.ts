import type pg from "pg";

/** What the driver's connection can do beyond its types: the messages of COPY. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `COPY ... FROM STDIN` with one chunk of data, on the driver's own protocol. */
export function copyFrom(client: pg.ClientBase, text: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const submittable = {
      submit: (connection: unknown) => (connection as CopyConnection).query(text),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => {
        failure = error;
      },
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    };
    client.query(submittable as unknown as pg.Submittable);
  });
}
