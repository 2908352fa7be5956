import { control, type DeviceCommand } from "@metrum/contract/headend";
import { sql } from "kysely";
import type { Stop } from "#core";
import type { Dialogue } from "#headend/dialogue";
import { offerActuator, registerActuator, startActuator, type Actuator } from "./actuator.ts";
import type { TestApi } from "./api.ts";
import { movableClock, type MovableClock } from "./clock.ts";
import { openTestDialogue } from "./dialogue.ts";
import { until } from "./until.ts";

/** A platform whose company has actuators, for tests of commands. */
export interface TestCommands {
  readonly api: TestApi;
  readonly dialogue: Dialogue;
  readonly clock: MovableClock;
  readonly aDevice: () => Promise<{ readonly id: number; readonly actuator: Actuator }>;
  readonly send: (token: string, id: number, management: Record<string, unknown>) => ReturnType<typeof sent>;
  /** The newest command of a device or gateway, once it has ended. */
  readonly ended: (token: string, id: number) => Promise<DeviceCommand>;
  /** Cancels what is open, so that it does not reach the next test. */
  readonly forget: () => Promise<void>;
  /** Ends its work on commands. */
  readonly stopWork: Stop;
  readonly stop: () => Promise<void>;
}

const sent = (api: TestApi, token: string, body: { id: number; management: Record<string, unknown> }) =>
  api.ask(control.device, { token, language: "en", input: { body } });

const isOpen = ({ state }: DeviceCommand): boolean => state === "queued" || state === "sending";

/** Opens it with its work on commands, which `start` begins. */
export async function openTestCommands(
  start: (services: TestApi["services"]) => Stop,
): Promise<TestCommands> {
  const clock = movableClock();
  const withdraw = offerActuator();
  const { api, dialogue } = await openTestDialogue({ clock });
  const actuators: Actuator[] = [];
  const stopWork = start(api.services);
  return {
    api,
    dialogue,
    clock,
    async aDevice() {
      const actuator = await startActuator();
      actuators.push(actuator);
      return { id: await registerActuator(api, actuator), actuator };
    },
    send: (token, id, management) => sent(api, token, { id, management }),
    ended: (token, id) =>
      until(async () => {
        const { data } = await api.ask(control.list, { token, input: { body: { device_id: id } } });
        const [found] = data.commands.data;
        return found !== undefined && !isOpen(found) && found;
      }),
    stopWork,
    async forget() {
      await sql`update device_command set state = 'cancelled', follow_at = null
        where state in ('queued', 'sending') or follow_at is not null`.execute(api.services.database.system);
    },
    async stop() {
      await stopWork();
      withdraw();
      await dialogue.stop();
      for (const actuator of actuators) await actuator.stop();
      await api.close();
    },
  };
}
