import { describe, expect, it } from "vitest";
import type { Conversation, Responder } from "../core/conversation.ts";
import { decodeMercury230 } from "./decode.ts";
import { closeFrame } from "./frame.ts";
import { readInfo, readJournal, readPhaseEnergy } from "./reads.ts";
import { inSession, mercurySession, type MercurySession } from "./session.ts";
import { device, errorOf, full, meter, now, poll, within } from "./testMeter.ts";
import { correctClock, enablePowerLimit, restart, setClock, setPowerLimit, switchLoad } from "./writes.ts";

describe("a session with a Mercury 230", () => {
  it("reads the metadata of the meter, with leading zeros", () => {
    expect(within(1, readInfo)).toEqual({
      serial: "00412023",
      made: "15.03.25",
      firmware: "9.0.2",
      ku: 1,
      ki: 1,
    });
    expect(within(1, (session) => readPhaseEnergy(session, 0))).toEqual([9000, 9000, 9000]);
    expect(within(1, (session) => readJournal(session, 1, 0))).toEqual({
      beganLocal: Date.UTC(2026, 10, 22) / 1000,
      endedLocal: null,
    });
  });

  it("writes at level 2 and is refused at level 1", () => {
    const works = [
      (session: MercurySession) => setClock(session, now),
      (session: MercurySession) => switchLoad(session, false),
      (session: MercurySession) => setPowerLimit(session, 15),
      (session: MercurySession) => enablePowerLimit(session, true),
      restart,
    ];

    for (const work of works) {
      expect(errorOf(() => within(2, work))).toBeUndefined();
      expect(errorOf(() => within(1, work))).toMatchObject({ kind: "bad_password", detail: 3 });
    }
  });

  it("corrects the clock once a day", () => {
    const responder = meter();
    const correct = (session: MercurySession) => correctClock(session, now + 10_800 + 30);

    expect(errorOf(() => within(1, correct, responder))).toBeUndefined();
    expect(poll({ kind: "now" }, full, responder)[0]?.meterAt).toBe(now + 30);
    expect(errorOf(() => within(1, correct, responder))).toMatchObject({ kind: "refused", detail: 4 });
  });

  it("reads no echo of the line as an answer, whatever its length", () => {
    const real = meter();
    // The request for the frequency is as long as its answer, that for the load control too.
    const echoing: Responder = { receive: (bytes) => [bytes, ...real.receive(bytes)] };
    const deaf: Responder = { receive: (bytes) => [bytes] };

    expect(poll({ kind: "now" }, full, echoing)).toEqual(poll({ kind: "now" }, full, meter()));
    expect(errorOf(() => poll({ kind: "now" }, full, deaf))).toMatchObject({
      kind: "unexpected",
      message: "the request came back (echo)",
    });
    const request = closeFrame(23, Uint8Array.of(0x08, 0x16, 0x40));
    expect(errorOf(() => decodeMercury230({ request, response: request }))?.message).toContain("echo");
    const test = closeFrame(23, Uint8Array.of(0));
    expect(decodeMercury230({ request: test, response: test }).readings).toMatchObject([{ value: 0 }]);
  });

  it("sends an actuating command only once", () => {
    const [, sent] = [
      ...stepsOf(inSession(mercurySession(device, 2), (session) => switchLoad(session, false))),
    ];

    expect(sent).toMatchObject({ tries: 1, label: "switch_load_off" });
  });
});

function* stepsOf(conversation: Conversation<unknown>) {
  let turn = conversation.next();
  for (let count = 0; !turn.done && count < 2; count++) {
    yield turn.value;
    turn = conversation.next(closeFrame(23, Uint8Array.of(0)));
  }
}
