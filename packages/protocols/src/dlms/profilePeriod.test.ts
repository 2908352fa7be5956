import { describe, expect, it } from "vitest";
import type { Conversation, Responder } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Reading } from "../core/reading.ts";
import { talk } from "../core/testing/testLine.ts";
import { dlms } from "./driver.ts";
import { readProfile, type ProfileTable } from "./objects/profile.ts";
import { aMeter, day, device, now, options } from "./testing/testMeter.ts";
import type { CosemAttribute } from "./types.ts";

const counters: ProfileTable = {
  msgType: 101,
  obis: "1.0.98.2.0.255",
  columns: [{ obis: "1.0.1.8.0.255", field: "tariff0" }],
  period: "asked",
};
const load: ProfileTable = {
  msgType: 5,
  obis: "1.0.99.1.0.255",
  columns: [{ obis: "1.0.1.4.0.255", field: "power_a_plus" }],
  period: "asked",
};

/** The dialogue, limited to a number of steps in case it does not end. */
function* bounded<Result>(conversation: Conversation<Result>, most: number): Conversation<Result> {
  let turn = conversation.next();
  for (let count = 0; !turn.done; count++) {
    if (count > most) throw new Error("the dialogue does not end");
    turn = conversation.next(yield turn.value);
  }
  return turn.value;
}

function read(
  table: ProfileTable,
  capturePeriod: number,
  span = { from: now - 3 * day, to: now },
): Reading[] {
  const driver = dlms(options({ transport: "wrapper", profiles: [table] }));
  const { resource, clock } = driver.options;
  return talk(
    bounded(
      driver.inSession(device, (session) =>
        readProfile(session, { table, resource, clock, scales: new Map(), ...span }),
      ),
      200,
    ),
    aMeter(driver.options, { capturePeriod }),
  );
}

describe("a profile whose capture period is 0", () => {
  it("is read to its end, each row at its own time stamp", () => {
    const readings = read(counters, 0);

    expect(readings.length).toBeGreaterThan(2);
    expect(readings.every(({ at, meterAt }) => at === meterAt)).toBe(true);
  });

  it("of intervals is refused, because their length is unknown", () => {
    expect(() => read(load, 0)).toThrow(
      new ProtocolError("unsupported", "1.0.99.1.0.255 has no capture period, so its intervals are unknown"),
    );
  });

  it("of a second is read in a limited number of pages", () => {
    expect(() => read(load, 1, { from: now - day, to: now })).not.toThrow("does not end");
  });
});

/** Records every request of a dialogue. */
const attributesOf = (obis: string, classId: number): CosemAttribute[] =>
  Array.from({ length: 8 }, (_, at) => ({ classId, obis, attribute: at + 1 }));

describe("a profile of the simulated meter", () => {
  it.each([
    ["event log", "0.0.99.98.2.255"],
    ["event log by position", "0.0.99.98.4.255"],
    ["load profile", "1.0.99.1.0.255"],
    ["archive of days", "1.0.98.2.0.255"],
    ["current values", "1.0.94.7.0.255"],
    ["scaler profile", "1.0.94.7.3.255"],
  ])("%s has all eight attributes of its class", (_, obis) => {
    const columns = [{ obis: "1.0.1.8.0.255", field: "tariff0" as const, msgType: 1 as const }];
    const driver = dlms(
      options({
        transport: "wrapper",
        current: { obis: "1.0.94.7.0.255", scalerProfile: "1.0.94.7.3.255", columns },
      }),
    );
    const meter: Responder = aMeter(driver.options, {
      events: [{ journal: "0.0.99.98.2.255", at: now - 60, code: 3 }],
    });

    const found = talk(
      driver.inSession(device, function* (session) {
        const kinds: string[] = [];
        for (const attribute of attributesOf(obis, 7)) kinds.push((yield* session.get(attribute)).kind);
        return kinds;
      }),
      meter,
    );

    expect(found).toEqual(Array.from({ length: 8 }, () => "data"));
  });
});
