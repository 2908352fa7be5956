import { openDialogue, type Dialogue } from "../headend/polling/broker.ts";
import { openTestApi, type TestApi, type TestApiOptions } from "./api.ts";

export interface TestDialogue {
  readonly api: TestApi;
  readonly dialogue: Dialogue;
  /** Where modems dial in and name themselves by their IMEI. */
  readonly modemPort: number;
}

/** The API in a process that also holds lines and runs their jobs: modems and MQTT have free ports. Both are closed by whoever opened them. */
export async function openTestDialogue(options: Pick<TestApiOptions, "clock"> = {}): Promise<TestDialogue> {
  const api = await openTestApi({
    ...options,
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
  });
  const dialogue = await openDialogue(api.services);
  return { api, dialogue, modemPort: dialogue.ports.modemPorts[0] ?? 0 };
}
