import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onSocketEvent, startLive } from "./live.ts";

/** The server's side of each WebSocket that was opened. */
class Opened extends EventTarget {
  static readonly all: Opened[] = [];
  readonly sent: string[] = [];
  readonly address: string;
  isClosed = false;
  constructor(address: string) {
    super();
    this.address = address;
    Opened.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
  says(...texts: readonly string[]): void {
    for (const data of texts) this.dispatchEvent(new MessageEvent("message", { data }));
  }
  ends(): void {
    this.dispatchEvent(new Event("close"));
  }
}

const options = { url: "https://live.example", token: "token", companyId: 3 };
const welcome = '0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":16384}';
const admitted = '40{"sid":"b"}';
const joined = '430[{"joined":true}]';
const newest = (): Opened => {
  const last = Opened.all.at(-1);
  if (last === undefined) throw new Error("no socket was opened");
  return last;
};
let gaps = 0;
let stop: () => void = () => undefined;
let forget: () => void = () => undefined;

/** Started, and opened after the delay. */
async function opened(): Promise<Opened> {
  stop = startLive(options);
  await vi.advanceTimersByTimeAsync(2000);
  return newest();
}

beforeEach(() => {
  vi.useFakeTimers();
  // Pauses are spread from half to one and a half; in the middle they are as given.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  vi.stubGlobal("WebSocket", Opened);
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("dispatchEvent", page.dispatchEvent.bind(page));
  Opened.all.length = 0;
  gaps = 0;
  forget = onSocketEvent("joined", () => (gaps += 1));
});
afterEach(() => {
  stop();
  forget();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("NOTIF-010 NOTIF-014: the address of the installation is opened with the token after 2 seconds, not earlier", async () => {
  stop = startLive(options);
  await vi.advanceTimersByTimeAsync(1999);
  expect(Opened.all).toEqual([]);

  await vi.advanceTimersByTimeAsync(1);
  newest().says(welcome);

  expect(newest().address).toBe("wss://live.example/socket.io/?EIO=4&transport=websocket");
  expect(newest().sent).toEqual(['40{"token":"token"}']);
});

it("without an address of the installation the origin of the page is opened", async () => {
  vi.stubGlobal("location", { origin: "http://metrum.example:8080" });
  stop = startLive({ ...options, url: "" });
  await vi.advanceTimersByTimeAsync(2000);

  expect(newest().address).toBe("ws://metrum.example:8080/socket.io/?EIO=4&transport=websocket");
});

it("nothing is opened once the page has been left", async () => {
  startLive(options)();
  await vi.advanceTimersByTimeAsync(2000);
  expect(Opened.all).toEqual([]);

  const socket = await opened();
  stop();
  await vi.advanceTimersByTimeAsync(60_000);

  expect([Opened.all.length, socket.isClosed]).toEqual([1, true]);
});

it("events of the server are passed on; unknown names and payloads are not", async () => {
  const received: unknown[] = [];
  const forgetData = onSocketEvent("device_data", (data) => received.push(data));
  const forgetEvents = onSocketEvent("device_event", (event) => received.push(event));
  const data = { device_id: 7, msgType: 1, from: 10, to: 20 };

  (await opened()).says(
    welcome,
    admitted,
    `42${JSON.stringify(["device_data", data])}`,
    '42["device_data",{"device_id":"7"}]',
    '42["device_gone",{}]',
    '42["device_event",{"msg":"Voltage is low","event":{"id":1}}]',
  );
  forgetData();
  forgetEvents();

  expect(received).toEqual([data, { msg: "Voltage is low", event: { id: 1 } }]);
});

it("NOTIF-011: after every loss the room of the company is joined again, and missed data are requested", async () => {
  const first = await opened();
  first.says(welcome, admitted, joined);
  first.ends();
  await vi.advanceTimersByTimeAsync(1000);
  newest().says(welcome, admitted, joined);

  const room = '420["join",{"company_id":3}]';
  expect(Opened.all.map(({ sent }) => sent.at(-1))).toEqual([room, room]);
  expect(gaps).toBe(2);
});

it.each(['430[{"joined":false}]', "430[null]", '430["yes"]'])(
  "a room refused with %s counts as none: no missed data are requested",
  async (answer) => {
    (await opened()).says(welcome, admitted, answer);

    expect(gaps).toBe(0);
  },
);

it("NOTIF-017: a lost connection is retried with growing pauses; then the room is joined and missed data are requested", async () => {
  await opened();
  for (const [tries, pauseMs] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    // By the network, by the server, and by a handshake that fails.
    if (tries % 3 === 0) newest().ends();
    else newest().says(tries % 3 === 1 ? "41" : '44{"message":"server_starting"}');
    expect(newest().isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(Opened.all).toHaveLength(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(Opened.all).toHaveLength(tries + 2);
  }
  newest().says(welcome, admitted, joined);
  expect(gaps).toBe(1);

  newest().ends();
  await vi.advanceTimersByTimeAsync(1000);
  expect(Opened.all, "the first pause again").toHaveLength(9);
});

it("a token that is no longer valid is not tried again", async () => {
  (await opened()).says(welcome, '44{"message":"not_signed_in"}');
  await vi.advanceTimersByTimeAsync(60_000);

  expect(Opened.all).toHaveLength(1);
});

it("each ping is answered, and a server that stays silent longer than it promised is lost", async () => {
  const socket = await opened();
  socket.says(welcome, admitted);
  for (let count = 0; count < 3; count++) {
    await vi.advanceTimersByTimeAsync(25_000);
    socket.says("2");
  }
  expect(socket.sent.filter((text) => text === "3")).toHaveLength(3);

  await vi.advanceTimersByTimeAsync(45_000);
  expect(socket.isClosed).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(Opened.all).toHaveLength(2);
});

it("a server that does not answer at all is lost after 20 seconds", async () => {
  const socket = await opened();
  await vi.advanceTimersByTimeAsync(20_000);

  expect(socket.isClosed).toBe(true);
});

it("without a network the connection is lost at once", async () => {
  const socket = await opened();
  socket.says(welcome, admitted);
  dispatchEvent(new Event("offline"));

  expect(socket.isClosed).toBe(true);
});
