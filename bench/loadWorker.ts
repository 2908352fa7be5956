import { connect, type Socket } from "node:net";
import type { Load, Measured, Request } from "./load.ts";

/**
 * Keep-alive connections that each send the next request when the last answer is complete. Nothing else is
 * measured.
 */
process.on("message", (load: Load) => {
  run(load).then(
    (measured) => process.send?.(measured),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function run(load: Load): Promise<Measured> {
  const texts = load.requests.map(textOf);
  const times = texts.map((): number[] => []);
  const until = load.seconds === undefined ? Infinity : performance.now() + load.seconds * 1000;
  let left = load.count ?? Infinity;
  let next = 0;
  let answered = 0;
  let bytes = 0;
  const began = performance.now();
  const one = async (): Promise<void> => {
    const connection = await open(load.port);
    while (left > 0 && performance.now() < until) {
      left -= 1;
      const at = next++ % texts.length;
      const sent = performance.now();
      bytes += await connection.ask(texts[at] ?? "");
      times[at]?.push(performance.now() - sent);
      answered += 1;
    }
    connection.socket.destroy();
  };
  await Promise.all(Array.from({ length: load.connections }, one));
  return { perSecond: (answered * 1000) / (performance.now() - began), times, bytes: bytes / answered };
}

function textOf({ method, path, token, body }: Request): string {
  const payload = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: bench",
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(payload === ""
      ? []
      : ["content-type: application/json", `content-length: ${String(Buffer.byteLength(payload))}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${payload}`;
}

interface Connection {
  readonly socket: Socket;
  /** Resolves with the length of the answer; rejects when it is no 200. */
  readonly ask: (text: string) => Promise<number>;
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let parts: Buffer[] = [];
    let length = 0;
    let expected = -1;
    let waiting: { done: (bytes: number) => void; failed: (error: Error) => void } | undefined;
    const look = (): void => {
      if (expected < 0) {
        const head = Buffer.concat(parts);
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        const text = head.toString("latin1", 0, end).toLowerCase();
        if (!text.startsWith("http/1.1 200")) {
          waiting?.failed(new Error(`answer ${head.toString("utf8", 0, Math.min(head.length, 600))}`));
          return;
        }
        const match = /content-length: (\d+)/.exec(text);
        if (!match) {
          waiting?.failed(new Error(`no content-length: ${text}`));
          return;
        }
        expected = end + 4 + Number(match[1]);
      }
      if (length < expected) return;
      const done = waiting?.done;
      const size = length;
      [parts, length, expected, waiting] = [[], 0, -1, undefined];
      done?.(size);
    };
    socket.on("data", (part) => {
      parts.push(part);
      length += part.length;
      look();
    });
    socket.on("error", (error) => {
      waiting?.failed(error);
      reject(error);
    });
    socket.on("close", () => waiting?.failed(new Error("closed by the server")));
    socket.on("connect", () =>
      resolve({
        socket,
        ask: (text) =>
          new Promise((done, failed) => {
            waiting = { done, failed };
            socket.write(text);
          }),
      }),
    );
  });
}
