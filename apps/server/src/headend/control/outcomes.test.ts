import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestCommands, type TestCommands } from "#testing/commands";
import { startCommands } from "./execution/rounds.ts";

let commands: TestCommands;
let token: string;

beforeAll(async () => {
  commands = await openTestCommands(startCommands);
});
beforeEach(async () => {
  commands.clock.ahead += 3_600;
  token = await commands.api.token("engineer@metrum.example");
});
afterEach(() => commands.forget());
afterAll(() => commands.stop());

test("CTRL-106 a command of which the device refuses a part has failed, says so, and tells what the device has now", async () => {
  const { id, actuator } = await commands.aDevice();
  actuator.manner = "halves";

  await commands.send(token, id, { power: 0 });

  expect(await commands.ended(token, id)).toMatchObject({
    state: "failed",
    message: "the device refuses",
    message_code: "partly_set",
    after: { relay_state: 1 },
  });
});

test("CTRL-106 what the platform itself says of an outcome has a code", async () => {
  const { id, actuator } = await commands.aDevice();
  actuator.manner = "lies";

  await commands.send(token, id, { power: 0 });

  expect(await commands.ended(token, id)).toMatchObject({
    ...{ state: "failed", message: "", message_code: "other_state", after: { relay_state: 1 } },
  });
});
