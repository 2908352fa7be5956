import type { Services } from "#core";
import { openDialogue as open, type Dialogue } from "#headend/dialogue";
import { lineWork } from "../domains.ts";
import { openTestApi, type TestApi, type TestApiOptions } from "./api.ts";

/** A process with the role broker. The caller must stop it. */
export const openDialogue = (services: Services): Promise<Dialogue> => open(services, lineWork);

export interface TestDialogue {
  readonly api: TestApi;
  readonly dialogue: Dialogue;
  /** Where modems dial in and send their IMEI. */
  readonly modemPort: number;
}

/**
 * The API in a process that also holds lines and runs their jobs: modems and MQTT have free ports. The caller
 * must close both.
 */
export async function openTestDialogue(
  options: Pick<TestApiOptions, "clock" | "env"> = {},
): Promise<TestDialogue> {
  const api = await openTestApi({
    ...options,
    env: {
      METRUM_MODEM_PORTS: "0:imei",
      METRUM_MQTT_PORT: "0",
      METRUM_DEVICE_HOST: "127.0.0.1",
      ...options.env,
    },
  });
  const dialogue = await openDialogue(api.services);
  return { api, dialogue, modemPort: dialogue.ports.modemPorts[0] ?? 0 };
}
