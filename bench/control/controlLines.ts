import { createServer, connect, type Server, type Socket } from "node:net";
import { createMeter, type PlannedDevice } from "@metrum/simulator";

/** Simulated converters in this process, each with meters on its line, which note what passes. */
export interface Lines {
  readonly ports: readonly number[];
  /** Requests in the order of their receipt. */
  readonly heard: (line: number) => readonly Uint8Array[];
  /** Milliseconds of `performance.now`, of the first byte since `forget`; undefined: none came. */
  readonly firstMs: (line: number) => number | undefined;
  readonly lastMs: () => number;
  readonly forget: () => void;
  readonly stop: () => Promise<void>;
}

interface Line {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  heard: Uint8Array[];
  firstMs: number | undefined;
  lastMs: number;
}

/** Milliseconds from a request to its answer: the network, and both on a line of 9600 bit/s. */
export function answerMs(networkMs: number, request: number, answer: number): number {
  return networkMs + ((request + answer) * 10_000) / 9600;
}

/** Starts a line for each list of meters. */
export async function startLines(
  plans: readonly (readonly PlannedDevice[])[],
  networkMs: number,
): Promise<Lines> {
  const lines: Line[] = [];
  for (const devices of plans) lines.push(await startLine(devices, networkMs));
  return {
    ports: lines.map(({ server }) => {
      const address = server.address();
      return typeof address === "object" && address ? address.port : 0;
    }),
    heard: (line) => lines[line]?.heard ?? [],
    firstMs: (line) => lines[line]?.firstMs,
    lastMs: () => Math.max(...lines.map(({ lastMs }) => lastMs)),
    forget() {
      for (const line of lines) Object.assign(line, { heard: [], firstMs: undefined, lastMs: 0 });
    },
    stop: async () =>
      void (await Promise.all(
        lines.map(({ server, sockets }) => {
          for (const socket of sockets) socket.destroy();
          return new Promise((resolve) => server.close(resolve));
        }),
      )),
  };
}

async function startLine(devices: readonly PlannedDevice[], networkMs: number): Promise<Line> {
  const responders = devices.flatMap((planned) => {
    const { model, address, stateAt } = createMeter(planned);
    const now = (): number => Math.floor(Date.now() / 1000);
    return model.driver.kind === "line"
      ? [model.driver.respond(address, (field) => stateAt(now())(field), now)]
      : [];
  });
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      line.firstMs ??= performance.now();
      line.heard.push(Uint8Array.from(bytes));
      for (const answer of responders.flatMap((each) => each.receive(bytes)))
        setTimeout(
          () => {
            line.lastMs = performance.now();
            if (socket.writable) socket.write(answer);
          },
          answerMs(networkMs, bytes.length, answer.length),
        );
    });
  });
  const line: Line = { server, sockets, heard: [], firstMs: undefined, lastMs: 0 };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return line;
}

/**
 * Milliseconds that the lines need for these requests alone: each is sent as soon as the one before it was
 * answered, on all lines at once.
 */
export async function timeAlone(
  ports: readonly number[],
  requests: readonly (readonly Uint8Array[])[],
): Promise<number> {
  const sinceMs = performance.now();
  await Promise.all(ports.map((port, at) => replay(port, requests[at] ?? [])));
  return performance.now() - sinceMs;
}

function replay(port: number, requests: readonly Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0;
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    const send = (): void => {
      const request = requests[next++];
      if (request) socket.write(request);
      else {
        socket.destroy();
        resolve();
      }
    };
    socket.on("connect", send).on("data", send).on("error", reject);
  });
}
