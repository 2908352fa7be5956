import type { ReceivedTelegram } from "@metrum/protocols/wmbus";
import type { Services } from "#core";
import { uplinkDriver } from "../../read/decode.ts";
import { takeUplink } from "../../intake.ts";
import { devicesBehind, devicesNamed, type TelegramSender } from "./listeningStore.ts";
import { senderOf, type Listens, type Sender } from "./telegrams.ts";
import { oncePerSlot } from "./oncePerSlot.ts";

/** A line with unsolicited telegrams, and its company. */
export interface ListenedLine {
  readonly gatewayId: number;
  readonly companyId: number;
  readonly number: string;
  readonly listens: Listens;
}

/** Takes telegrams of all lines of this process. */
export interface TelegramIntake {
  /**
   * Takes a telegram into the store and the log, or into quarantine, like any uplink; resolves after COMMIT.
   * Rejects only when the database is unavailable, and then admits the next telegram of the meter.
   */
  take(line: ListenedLine, telegram: ReceivedTelegram): Promise<void>;
}

/**
 * How long the device of a meter number is cached: a receiver picks up the meters of the whole street
 * continuously.
 */
const rememberedMs = 10_000;
const mostRemembered = 10_000;
/**
 * A meter that is not registered is quarantined this often at most, or foreign meters would flood the inbox.
 */
const strangerSec = 3600;

/**
 * One telegram per kind and meter is stored in each polling interval of the device, whichever receivers pick
 * it up: the first of the interval. Damaged ones do not count.
 */
export function createTelegramIntake(services: Services): TelegramIntake {
  const { clock } = services;
  const kept = oncePerSlot();
  const find = rememberFound(services);
  return {
    async take(line, { telegram, rssi }) {
      const sender = senderOf(line.listens, telegram, line.number);
      if (!sender) return;
      const device = await find(line, sender);
      const every = device?.intervalSec ?? strangerSec;
      const who = device ? String(device.id) : `${String(line.companyId)}/${sender.names[0] ?? ""}`;
      const name = device ? `${who}/${sender.sort}` : who;
      if (!kept.take(name, Math.floor(clock.now() / every))) return;
      try {
        await takeUplink(services, {
          companyId: line.companyId,
          networkId: device?.number ?? sender.names[0] ?? "",
          ...(device ? { deviceId: device.id } : {}),
          way: sender.kind,
          at: null,
          content: { kind: "payload", bytes: telegram, fPort: 0, fCnt: 0, ...radioOf(rssi) },
          topic: `${sender.kind}/${line.number}`,
          raw: telegram,
        });
      } catch (error) {
        kept.forget(name);
        throw error;
      }
    },
  };
}

const radioOf = (rssi: number | undefined) =>
  rssi === undefined ? {} : { radio: { best: { rssi }, gateways: 1, dataRate: "", confirmed: false } };

type Find = (line: ListenedLine, sender: Sender) => Promise<TelegramSender | undefined>;

function rememberFound(services: Services): Find {
  const { clock } = services;
  const known = new Map<string, { readonly untilMs: number; readonly found: ReturnType<Find> }>();
  return (line, sender) => {
    const name = `${String(line.companyId)}/${sender.kind === "p1" ? String(line.gatewayId) : ""}/${sender.names[0] ?? ""}`;
    const now = clock.monotonicMs();
    const before = known.get(name);
    if (before && before.untilMs > now) return before.found;
    if (known.size >= mostRemembered) known.clear();
    const found = deviceOf(services, line, sender);
    known.set(name, { untilMs: now + rememberedMs, found });
    found.catch(() => known.delete(name));
    return found;
  };
}

/**
 * The device that sent a telegram: on a P1 port the only one behind its gateway, else the one with the number
 * of the meter. A number range that is not exclusive to radio meters counts only for a model that reads the
 * protocol.
 */
async function deviceOf(
  { database }: Services,
  { companyId, gatewayId }: ListenedLine,
  { kind, names }: Sender,
): Promise<TelegramSender | undefined> {
  if (kind === "p1") {
    const [only, other] = await devicesBehind(database.system, companyId, gatewayId);
    if (only) return other ? undefined : only;
  }
  const found = await devicesNamed(database.system, companyId, names);
  return (
    found.find(({ number }) => number.toLowerCase() === names[0]) ??
    found.find(({ modelId }) => uplinkDriver(modelId)?.protocol === kind)
  );
}
