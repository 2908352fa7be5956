import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { createSessions } from "./sessions.ts";
import { sessionOf } from "./session.ts";
import { findSession } from "./sessionQueryStore.ts";
import { hashOf } from "./sessionStore.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** The row of a living session of the provider's administrator, as the store gives it. */
async function staffRow() {
  const { clock, database } = api.services;
  const row = await findSession(
    database.system,
    hashOf(await api.token("admin@metrum.example")),
    clock.now(),
  );
  if (!row) throw new Error("no session");
  return row;
}

const settings = () => ({
  providerCompanyId: api.services.config.providerCompanyId,
  demoUsers: [],
  buildType: "cloud" as const,
});
const moment = { nowSec: 0, licenceDaysLeft: null };

test("staff acting as another user have no platform rights, not even inside the provider's own company", async () => {
  const row = await staffRow();

  const own = sessionOf(row, settings(), moment);
  const impersonating = sessionOf({ ...row, impersonator_id: row.user_id }, settings(), moment);

  expect([own.scope.access.is_platform, own.accessRecord.is_platform]).toEqual([true, true]);
  expect([impersonating.scope.access.is_platform, impersonating.accessRecord.is_platform]).toEqual([
    false,
    false,
  ]);
});

test("a session that changes while it is read is not cached, an unchanged one is", async () => {
  const resolve = createSessions(api.services);
  const token = await api.token("engineer@metrum.example");
  const row = await findSession(api.services.database.system, hashOf(token), api.services.clock.now());

  const reading = resolve(token);
  api.services.bus.publish("accessChanged", `user:${String(row?.user_id)}`);
  await reading;

  // A cached session is returned synchronously, without a promise.
  expect(resolve(token)).toBeInstanceOf(Promise);
  await resolve(token);
  expect(resolve(token)).not.toBeInstanceOf(Promise);
  expect(await resolve(randomBytes(32).toString("base64url"))).toBeUndefined();
});
