import { lineWork } from "../../apps/server/src/domains.ts";
import { issueMqttCredentials } from "../../apps/server/src/headend/channels/index.ts";
import { openDialogue } from "../../apps/server/src/headend/dialogue/index.ts";
import { startApi } from "../api.ts";
import { filePeers } from "./peersFiles.ts";
import { linePeers } from "./peersLines.ts";
import { mqttPeers } from "./peersMqtt.ts";
import type { Peer, Platform } from "./peers.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

const devEui = "00000000000000b1";

/** Programs of others at the running platform: each does what its users do with it, or the reason is printed. */
export const bench: Bench = {
  title: "programs of others at the running platform",
  async run() {
    const api = await startApi([], {
      METRUM_MQTT_PORT: "0",
      METRUM_MODEM_PORTS: "0:imei",
      METRUM_DEVICE_HOST: "127.0.0.1",
    });
    const dialogue = await openDialogue(api.services, lineWork);
    try {
      const { companyId, services } = api;
      const { rows } = await services.database.pool.query<{ id: number }>(
        `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place, "deviceID")
          values ($1, 301, 'SI-11', 1, 1, 5, 'Counter', '', $2) returning id`,
        [companyId, devEui],
      );
      const credentials = await issueMqttCredentials(services.database, companyId);
      return await metBy({
        ...{ api, dialogue, counter: { id: rows[0]?.id ?? 0, devEui } },
        mqtt: { ...credentials, port: dialogue.ports.mqttPort ?? 0 },
      });
    } finally {
      await dialogue.stop();
      await api.stop();
    }
  },
};

async function metBy(platform: Platform): Promise<Figure[]> {
  const peers = [...mqttPeers, ...linePeers, ...filePeers];
  const figures: Figure[] = [];
  for (const peer of peers) figures.push(await figureOf(peer, platform));
  const absent = peers.filter(({ version }) => version() === undefined).length;
  return [...figures, reported("not installed, and therefore not tried", absent, "of them")];
}

async function figureOf(peer: Peer, platform: Platform): Promise<Figure> {
  const { name, command, version, meet } = peer;
  const found = version();
  console.log(`  ${name}\n    ${found ?? "not installed"}\n    ${command}`);
  if (found === undefined) return reported(`NOT INSTALLED: ${name}`, 0, "");
  try {
    await meet(platform);
    return atMost(name, 0, "failures", 0);
  } catch (error) {
    console.error(`    ${error instanceof Error ? error.message : String(error)}`);
    return atMost(name, 1, "failures", 0);
  }
}
