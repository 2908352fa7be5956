import { admission, packetOf, pong, question } from "./packets.ts";

export interface ConnectionOptions {
  /** Empty: the origin of the page. */
  readonly url: string;
  readonly token: string;
  /** Called each time the connection opens. */
  readonly join: object;
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onJoinAnswer: (answer: unknown) => void;
  readonly onEvent: (name: unknown, payload: unknown) => void;
}

const pausesMs = { first: 1000, longest: 30_000 } as const;
/** By then the server has answered with its ping interval. */
const openWithinMs = 20_000;

/**
 * Keeps a connection to the real-time server and renews a lost one after growing pauses; returns the function
 * that ends it. The protocol is written out here: the client library weighs 12 KiB, a tenth of a page.
 */
export function connect(options: ConnectionOptions): () => void {
  let pauseMs: number = pausesMs.first;
  let end: () => void = () => undefined;
  const open = () => {
    end = openOnce({
      ...options,
      onOpen: () => {
        pauseMs = pausesMs.first;
        options.onOpen();
      },
      onLost: (isRefused) => {
        if (!isRefused) {
          const retry = setTimeout(open, spread(pauseMs));
          pauseMs = Math.min(pauseMs * 2, pausesMs.longest);
          end = () => {
            clearTimeout(retry);
          };
        }
        options.onLost();
      },
    });
  };
  open();
  return () => {
    end();
  };
}

interface OnceOptions extends Omit<ConnectionOptions, "onLost"> {
  /** Refused: another attempt with this token would be too. */
  readonly onLost: (isRefused: boolean) => void;
}

/** One WebSocket; returns the function that closes it. */
function openOnce({ url, token, join, ...on }: OnceOptions): () => void {
  const socket = new WebSocket(addressOf(url));
  const listening = new AbortController();
  let watch: ReturnType<typeof setTimeout> | undefined;
  let silenceMs = openWithinMs;
  const close = () => {
    clearTimeout(watch);
    listening.abort();
    socket.close();
  };
  const lose = (isRefused = false) => {
    close();
    on.onLost(isRefused);
  };
  /** A dead network does not close a socket for minutes; missing pings show it. */
  const watchSilence = () => {
    clearTimeout(watch);
    watch = setTimeout(lose, silenceMs);
  };
  const onPacket = (text: string) => {
    const packet = packetOf(text);
    switch (packet?.kind) {
      case "opened":
        silenceMs = packet.silenceMs;
        watchSilence();
        socket.send(admission(token));
        break;
      case "ping":
        watchSilence();
        socket.send(pong);
        break;
      case "admitted":
        on.onOpen();
        socket.send(question("join", join));
        break;
      case "refused":
        lose(packet.reason === "not_signed_in");
        break;
      case "closed":
        lose();
        break;
      case "event":
        on.onEvent(packet.name, packet.payload);
        break;
      case "answer":
        on.onJoinAnswer(packet.answer);
        break;
      case undefined:
    }
  };
  const { signal } = listening;
  socket.addEventListener("message", ({ data }) => onPacket(String(data)), { signal });
  socket.addEventListener("close", () => lose(), { signal });
  addEventListener("offline", () => lose(), { signal });
  watchSilence();
  return close;
}

function addressOf(url: string): string {
  const address = new URL("/socket.io/?EIO=4&transport=websocket", url === "" ? location.origin : url);
  address.protocol = address.protocol.replace("http", "ws");
  return address.href;
}

/** After a restart of the server the browsers come back one after another. */
const spread = (ms: number) => ms * (0.5 + Math.random());
