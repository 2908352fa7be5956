import { expect, test } from "vitest";
import { follow, type CountedFrame } from "./counters.ts";
import type { NetworkSession } from "../sessionStore.ts";

const network = { application: "a", topic: "t", devAddr: "00189440" };

function aFrame(fCnt: number | null, devAddr = network.devAddr): CountedFrame {
  return { deviceId: 1, way: "chirpstack", network: { ...network, devAddr }, fCnt, at: 1_795_250_000 };
}

/** The notes of frames that come one after another. */
function notesOf(...frames: readonly CountedFrame[]) {
  let session: NetworkSession | undefined;
  return frames.map((frame) => {
    const { note, after } = follow(session, frame);
    session = after;
    return `${String(note.missing)}${note.isRestart ? " restarted" : ""}${note.isLate ? " late" : ""}`;
  });
}

test("missing uplinks are counted once, before the next one", () => {
  expect(notesOf(aFrame(7), aFrame(8), aFrame(12), aFrame(13))).toEqual(["0", "0", "3", "0"]);
});

test("no frames are missing before the first one ever received", () => {
  expect(notesOf(aFrame(5_000))).toEqual(["0"]);
});

test("after a join the counter starts at zero, and skipped numbers are missing", () => {
  expect(notesOf(aFrame(900), aFrame(null), aFrame(0), aFrame(1))).toEqual(["0", "0", "0", "0"]);
  expect(notesOf(aFrame(900), aFrame(null), aFrame(2))).toEqual(["0", "0", "2"]);
});

test("a new address without a join, and a large decrease of the counter, are restarts", () => {
  expect(notesOf(aFrame(900), aFrame(1, "01000000"))).toEqual(["0", "1 restarted"]);
  expect(notesOf(aFrame(900), aFrame(0))).toEqual(["0", "0 restarted"]);
  expect(notesOf(aFrame(900), aFrame(3), aFrame(4))).toEqual(["0", "3 restarted", "0"]);
});

test("a frame that arrives out of order is late, and a repeat is neither", () => {
  expect(notesOf(aFrame(7), aFrame(9), aFrame(8), aFrame(10))).toEqual(["0", "1", "0 late", "0"]);
  expect(notesOf(aFrame(7), aFrame(7), aFrame(8))).toEqual(["0", "0", "0"]);
});

test("a webhook beside MQTT does not remove the downlink path", () => {
  const { after } = follow(undefined, aFrame(7));
  const hook = { ...aFrame(8), way: "things", network: { application: "b", topic: "", devAddr: "" } };

  expect(follow(after, hook).after).toMatchObject({
    way: "chirpstack",
    application: "a",
    topic: "t",
    devAddr: "00189440",
    lastFcnt: 8,
  });
});

test("a webhook that accepts downlinks becomes the downlink path, and then MQTT again", () => {
  const webhook = { url: "https://tts.example/down/push", key: Uint8Array.of(1) };
  const hook = { ...aFrame(8), way: "things", network: { ...network, topic: "", webhook } };
  const byHook = follow(follow(undefined, aFrame(7)).after, hook).after;

  expect(byHook).toMatchObject({ way: "things", topic: "", webhook });
  expect(follow(byHook, aFrame(9)).after).toMatchObject({ way: "chirpstack", topic: "t", webhook: null });
});
