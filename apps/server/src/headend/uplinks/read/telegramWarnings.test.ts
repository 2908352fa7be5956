import { makersLayouts } from "@metrum/protocols/wmbus";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { takeUplink, settleUplinks } from "../intake.ts";

const hydrodigit = 364;
const deviceID = "12345678";
const [some] = demoPlan(1).devices;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(async () => {
  await settleUplinks(api.services);
  await api.close();
});

test("unread parts of a telegram are noted in the exchange log beside its readings", async () => {
  const layout = makersLayouts.find(({ name }) => name === "BMeters HYDRODIGIT");
  if (!layout || !some) throw new Error("no layout or no plan");
  const [deviceId = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [{ ...some, modelId: hydrodigit, deviceID, insideAddr: "", impulseWeight: 1, startingValue: 0 }],
  });
  const at = api.services.clock.now() - 60;
  const plan = { manufacturer: "BMT", id: deviceID, version: 0x13, medium: 7, accessNumber: 1, local: at };
  const telegram = layout.build({ ...plan, key: undefined, value: () => 296.7 });
  // A bit of the contents that no recorded telegram has.
  const raw = telegram.with(telegram.lastIndexOf(0x0f) + 1, 0x25);

  const outcome = await takeUplink(api.services, {
    companyId: api.companies.first,
    networkId: deviceID,
    deviceId,
    way: "wmbus",
    at,
    content: { kind: "payload", bytes: raw, fPort: 0, fCnt: 0 },
    topic: "wmbus/test",
    raw,
  });

  const words = "contents 25 of the maker's data are not known";
  expect(outcome).toEqual({ result: "taken", message: words });
  const { rows } = await sql`
    select result, message, readings from poll_log where device_id = ${deviceId}`.execute(
    api.services.database.system,
  );
  expect(rows).toEqual([expect.objectContaining({ message: words, readings: 1 })]);
});
