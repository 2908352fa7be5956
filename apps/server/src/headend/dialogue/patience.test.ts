import { ProtocolError, type Conversation } from "@metrum/protocols/core";
import { modbus } from "@metrum/protocols/modbus";
import { expect, test } from "vitest";
import { readPatiently } from "./patience.ts";
import type { Session } from "./session.ts";

const driver = modbus({ variant: "rtu", rows: [] });
const busy = new ProtocolError("refused", "exception 6", { detail: 6, isBusy: true });
const absent = new ProtocolError("refused", "exception 2", { detail: 2 });

/** A conversation without an exchange. */
function* nothingToAsk(): Conversation<string> {
  yield* [];
  return "values";
}

/** Reads from a device that refuses so often first; the clock passes each pause at once. */
async function read(refusals: readonly ProtocolError[]) {
  let [asked, nowMs] = [0, 0];
  const pausesMs: number[] = [];
  let lastMs = 0;
  const talk: Session["talk"] = async (begin) => {
    pausesMs.push(nowMs - lastMs);
    lastMs = nowMs;
    const refusal = refusals[asked++];
    if (refusal) throw refusal;
    const { done, value } = await Promise.resolve(begin(driver, { insideAddr: "1", deviceID: "" }).next());
    if (done !== true) throw new Error("a conversation that asks");
    return value;
  };
  const clock = {
    now: () => 0,
    nowMs: () => 0,
    monotonicMs: () => (nowMs += 500),
    after: () => () => undefined,
  };
  const outcome = await readPatiently(clock, { talk }, nothingToAsk).catch((error: unknown) => error);
  return { outcome, asked, pausesMs };
}

test("POLL-023 a device that is busy is asked again after a pause, and again after a longer one", async () => {
  const { outcome, asked, pausesMs } = await read([busy, busy]);

  expect([outcome, asked]).toEqual(["values", 3]);
  expect(pausesMs[1]).toBeGreaterThanOrEqual(1_000);
  expect(pausesMs[2]).toBeGreaterThanOrEqual(3_000);
});

test("POLL-023 one that stays busy is refused the third time, and another refusal is final at once", async () => {
  expect(await read([busy, busy, busy])).toMatchObject({ outcome: busy, asked: 3 });
  expect(await read([absent])).toMatchObject({ outcome: absent, asked: 1 });
});
