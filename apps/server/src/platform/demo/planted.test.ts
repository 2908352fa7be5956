import { validation, validationKinds } from "@metrum/contract/accounting";
import type { PlannedDevice } from "@metrum/simulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeDevices } from "#accounting/validation";
import { openTestApi, type TestApi } from "#testing/api";
import { seedDemoPart } from "#testing/demoPart";
import { planted } from "./planted.ts";

const daySec = 86_400;
/** Half an hour after midnight in Ulaanbaatar, of a day on which the frozen meter goes on at 983.54242 kvar·h. */
const nowSec = Date.parse("2026-11-29T00:30:00+08:00") / 1000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => nowSec, nowMs: () => nowSec * 1000 } });
});
afterAll(() => api.close());

/** Meters with something planted, those of the house with a sibling, and one of every model. */
function isWanted({ deviceID, place, modelId }: PlannedDevice): boolean {
  const isFirst = !models.has(modelId);
  models.add(modelId);
  const isPlanted = planted.some((each) => each.deviceID === deviceID);
  // The volume of all of model 204 has rolled over.
  return isFirst || isPlanted || modelId === 204 || place.startsWith("Darkhan Trade House,");
}
const models = new Set<number>();

test("TRUST-014 TRUST-015 TRUST-031 a case of each rule waits in the inbox of the demonstration, and nothing else is doubted", async () => {
  const token = await api.token("engineer@metrum.example");
  const { devices } = await seedDemoPart(api, isWanted);
  const now = api.services.clock.now();
  await judgeDevices(
    api.services,
    devices.map(({ id }) => id),
    { from: now - 31 * daySec, to: now },
  );

  const { data } = await api.ask(validation.list, { token, input: { body: { per_page: 250 } } });

  const found = data.exceptions.data.map(({ kind, deviceID }) => `${kind} ${deviceID}`);
  expect(found.toSorted()).toEqual(planted.map(({ rule, deviceID }) => `${rule} ${deviceID}`).toSorted());
  expect(planted.map(({ rule }) => rule).toSorted()).toEqual([...validationKinds].toSorted());
  const foreign = data.exceptions.data.find(({ kind }) => kind === "foreign_serial");
  expect(foreign?.summary).toContain("38815523");
  // Each can be opened with its evidence.
  for (const { id } of data.exceptions.data) {
    const opened = await api.ask(validation.get, { token, input: { body: { exception_id: id } } });
    expect(opened.status).toBe(200);
  }
});
