import { periods } from "@metrum/contract/accounting";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { demoZone, seedDemoPart } from "#testing/demoPart";
import { chooseMonth, closeDemoMonth, lateMeter, lateSpan } from "./closedMonth.ts";

/** Marks that wait a minute for more readings are due at once: the clock runs ahead while the month is closed. */
const ahead = { ms: 0 };
const nowMs = () => Date.now() + ahead.ms;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({
    clock: {
      now: () => Math.floor(nowMs() / 1000),
      nowMs,
      monotonicMs: () => performance.now() + ahead.ms,
    },
  });
});
afterAll(() => api.close());

test("TRUST-017 a month of the demonstration is closed, and late readings are a correction beside the first version", async () => {
  const month = await chooseMonth(api.services, demoZone);
  const { devices, userId } = await seedDemoPart(
    api,
    ({ deviceID }) => [lateMeter, "41200049", "41200051"].includes(deviceID),
    (device) =>
      device.planned.deviceID === lateMeter ? { ...device, without: lateSpan(month, demoZone) } : device,
  );
  const late = devices.find(({ planned }) => planned.deviceID === lateMeter);
  if (!late) throw new Error("there is no late meter");
  const given = { companyId: api.companies.first, userId, zone: demoZone, late };

  const hurry = setInterval(() => (ahead.ms += 5_000), 100);
  await closeDemoMonth(api.services, given);
  clearInterval(hurry);
  // A further start of the server changes nothing.
  await closeDemoMonth(api.services, given);

  const token = await api.token("engineer@metrum.example");
  const { data: list } = await api.ask(periods.list, { token, input: { body: {} } });
  const closed = list.periods.data.filter(({ state }) => state === "closed");
  expect(closed).toMatchObject([{ month, version: 2, differing: 0, closed_by: "Engineer" }]);
  const { data } = await api.ask(periods.get, {
    token,
    input: { body: { id: closed[0]?.id ?? 0, version: 1, compare: 2, only_different: true } },
  });
  const [correction, first] = data.versions;
  expect([correction?.kind, first?.kind]).toEqual(["correction", "close"]);
  expect(correction?.lacking).toBe((first?.lacking ?? 0) - 1);
  expect(correction?.reason).toContain(late.planned.name);
  const main = data.totals.data.filter(({ field }) => field === "main");
  expect(main).toMatchObject([{ name: late.planned.place, change: "changed", other: { covered: 1 } }]);
  expect(main[0]?.difference).toBeGreaterThan(0);
});
