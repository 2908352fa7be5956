import { describe, expect, it } from "vitest";
import type { Responder } from "../core/conversation.ts";
import { converse } from "../core/fuzz/replay.ts";
import { mercury230 } from "./driver.ts";
import { closeFrame } from "./frame.ts";
import { encodeProfileRecord } from "./profile.ts";
import { device, errorOf, full, meter, now, poll } from "./testMeter.ts";

describe("archives of a Mercury 230", () => {
  it("are the power profile by the start of the interval", () => {
    const from = now - 3 * 1800 - 600;
    const found = poll({ kind: "archive", msgType: 5, from, to: now });

    expect(found.map(({ at }) => at)).toEqual([now - 600 - 5400, now - 600 - 3600, now - 600 - 1800]);
    expect(found[0]).toMatchObject({ msgType: 5, values: { power_a_plus: 32, power_r_minus: 33 } });
  });

  it("are found over the end of the ring", () => {
    const responder = meter();
    const places = 65_536 / 16;
    const wrap = Math.floor((now + 10_800) / 1800 / places) * places * 1800 - 10_800;

    const found = poll({ kind: "archive", msgType: 5, from: wrap - 7200, to: wrap + 7200 }, full, responder);

    expect(found.map(({ at }) => at)).toEqual(Array.from({ length: 8 }, (_, at) => wrap - 7200 + at * 1800));
  });

  it("end after one pass of the ring", () => {
    const found = poll({ kind: "archive", msgType: 5, from: 0, to: now - 80 * 86_400 });

    expect(found.length).toBeGreaterThan(200);
    expect(found[0]?.at).toBe(now - 600 - 4096 * 1800);
  });

  it("are found behind a gap in which the meter was off", () => {
    const end = Date.UTC(2026, 10, 22, 0, 0) / 1000;
    const records = [0, 1, 2, 40, 41, 42].map((back) => end - back * 1800);

    const found = converse(
      mercury230(full).poll({ kind: "archive", msgType: 5, from: 0, to: end - 10_800 - 30 * 1800 }, device),
      scripted(records, 30),
    );

    expect(found.map(({ at }) => at)).toEqual([42, 41, 40].map((back) => end - 10_800 - back * 1800 - 1800));
  });

  it("keep the energy of an hour as two half-hours of its average power, also of an incomplete interval", () => {
    const end = Date.UTC(2026, 10, 22, 0, 0) / 1000;

    const found = converse(
      mercury230(full).poll({ kind: "archive", msgType: 5, from: 0, to: end }, device),
      scripted([end], 60),
    );

    expect(found).toMatchObject([
      { at: end - 10_800 - 3600, values: { power_a_plus: 0.5, power_a_minus: null } },
      { at: end - 10_800 - 1800, values: { power_a_plus: 0.5 } },
    ]);
  });

  it("of hours are read from the middle of one, and up to it", () => {
    const end = Date.UTC(2026, 10, 22, 0, 0) / 1000;
    const hour = end - 10_800 - 3600;
    const atsOf = (from: number, to: number) =>
      converse(
        mercury230(full).poll({ kind: "archive", msgType: 5, from, to }, device),
        scripted([end], 60),
      ).map(({ at }) => (at ?? 0) - hour);

    expect(atsOf(hour + 1800, hour + 3600)).toEqual([1800]);
    expect(atsOf(hour, hour + 1800)).toEqual([0]);
    expect(atsOf(hour + 1801, hour + 3600)).toEqual([]);
  });

  it("are counters at the start of days and months", () => {
    const daily = poll({ kind: "archive", msgType: 101, from: now - 3 * 86_400, to: now });
    const monthly = poll({ kind: "archive", msgType: 103, from: Date.UTC(2026, 8, 30, 21) / 1000, to: now });

    expect(daily.map(({ at }) => at)).toEqual(
      [20, 21].map((day) => Date.UTC(2026, 10, day - 1, 21) / 1000).map((at) => at + 86_400),
    );
    expect(daily[1]?.values.tariff0).toBeCloseTo(27 * 0.999, 6);
    expect(daily[0]?.values.tariff0).toBeCloseTo(27 * 0.997, 6);
    expect(monthly.map(({ at }) => at)).toEqual(
      [9, 10].map((month) => Date.UTC(2026, month, 1) / 1000 - 10_800),
    );
  });

  it("of a simulated meter with a history equal its registers at that time", () => {
    const history = (at: number) => () => at / 100_000_000;
    const respond = () => mercury230(full).respond(device, history(now), () => now, history);
    const request = {
      kind: "archive",
      msgType: 103,
      from: Date.UTC(2026, 5, 30, 21) / 1000,
      to: now,
    } as const;

    const monthly = poll(request, full, respond());
    const profile = poll({ ...request, msgType: 5, from: now - 7200 }, full, respond());

    expect(monthly).toHaveLength(5);
    for (const { at, values } of monthly) expect(values.tariff0).toBeCloseTo((at ?? 0) / 100_000_000, 2);
    for (const { at, values } of profile) expect(values.power_a_plus).toBeCloseTo((at ?? 0) / 100_000_000, 1);
  });

  it("that the meter does not have are refused before anything is sent", () => {
    expect(errorOf(() => poll({ kind: "archive", msgType: 5, from: 0, to: now }, {}))?.kind).toBe(
      "unsupported",
    );
    expect(errorOf(() => poll({ kind: "archive", msgType: 100, from: 0, to: now }))?.kind).toBe(
      "unsupported",
    );
  });
});

/** A meter whose profile memory contains these records, newest first, below address 0x0100. */
function scripted(ends: readonly number[], periodMinutes: number): Responder {
  const newest = 0x100;
  const answer = (body: Uint8Array): Uint8Array => {
    if (body[0] === 1 || body[0] === 2) return Uint8Array.of(0);
    if (body[0] === 8 && body[1] === 0x12) return Uint8Array.of(0xb4, 0xe4, 0xc2);
    const record = (back: number) => {
      const endLocal = ends[back];
      if (endLocal === undefined) return new Uint8Array(15).fill(0xff);
      const counts = [1000, null, 20, 30];
      return encodeProfileRecord(
        { endLocal, periodMinutes, counts, isIncomplete: true, isWinter: true },
        false,
      );
    };
    if (body[0] === 8) return Uint8Array.from([1, 0, ...record(0).subarray(0, 7)]);
    const address = ((body[2] ?? 0) << 8) | (body[3] ?? 0);
    return record(((((newest - address) / 16) % 4096) + 4096) % 4096);
  };
  return { receive: (bytes) => [closeFrame(23, answer(bytes.subarray(1, -2)))] };
}
