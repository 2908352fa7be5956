import { control, tasks } from "@metrum/contract/headend";
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

const management = { set_plomb: 1 };
const filter = { search_string: "Actuator" };

const planned = async () =>
  (await commands.api.ask(control.plan, { token, input: { body: { management, filter } } })).data.plan;
const create = (checked: string) =>
  commands.api.ask(tasks.create, {
    token,
    input: { body: { command_type: "control", title: "T", management, filter, skip_unable: true, checked } },
  });

test("CTRL-081 a command for a filter goes to the devices that were checked, or is refused", async () => {
  await commands.aDevice();
  const before = await planned();
  expect(before).toMatchObject({ able_count: 1 });
  await commands.aDevice();

  expect(await create(before.checked)).toMatchObject({ status: 409, code: "control_others" });

  const after = await planned();
  expect(after).toMatchObject({ able_count: 2 });
  const { data } = await create(after.checked);
  expect(data.device_task).toMatchObject({ device_count: 2 });
});
