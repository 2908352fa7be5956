import { parseThingsPushPath, thingsDownRequest } from "@metrum/protocols/thethings";
import { destinationOf, OutgoingLate, OutgoingRefused, postOut, type PublicCtx, type Services } from "#core";
import { codeOf } from "#headend/network-servers";
import type { NetworkPath, NetworkUplink } from "../../uplink.ts";
import { expired, type Handed, type Route } from "../../orders/dispatch.ts";
import { isNotConnected } from "./notConnected.ts";
import type { Order } from "../../orders/orderStore.ts";
import { readThingsPush, type PushReader } from "../http/networkMessages.ts";
import { sessionOf } from "../../sessionStore.ts";

/** A key that came with a message is used only for downlinks of its company. */
const purposeOf = (companyId: number): string => `webhook_downlinks:${String(companyId)}`;
/** Longer ones are neither keys nor addresses of The Things Stack. */
const longest = 1_000;

type Headers = Pick<PublicCtx, "header" | "secretBox">;

/**
 * Reads a message of a webhook of The Things Stack, and from its headers the downlink path of the device:
 * `X-Downlink-Push`, a URL, and `X-Downlink-Apikey`, which are sent if the webhook was given a key for
 * downlinks.
 * Source: The Things Stack documentation, Webhooks, scheduling downlinks. A URL for another device, or of
 * another form, is ignored.
 */
export function thingsPush(
  { header, secretBox }: Headers,
  companyId: number,
  message: Readonly<Record<string, unknown>>,
): PushReader {
  const url = header("x-downlink-push") ?? "";
  const key = header("x-downlink-apikey") ?? "";
  if (key === "" || key.length > longest || !isForDevice(url, message)) return readThingsPush;
  const webhook = (): NonNullable<NetworkPath["webhook"]> => ({
    url,
    key: secretBox.seal(key, purposeOf(companyId)),
  });
  return {
    way: readThingsPush.way,
    read(body) {
      const uplink = readThingsPush.read(body);
      return uplink?.network ? withWebhook(uplink, uplink.network, webhook()) : uplink;
    },
  };
}

const withWebhook = (
  uplink: NetworkUplink,
  network: NetworkPath,
  webhook: NonNullable<NetworkPath["webhook"]>,
): NetworkUplink => ({ ...uplink, network: { ...network, webhook } });

function isForDevice(text: string, message: Readonly<Record<string, unknown>>): boolean {
  if (text.length > longest || !URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  const named = parseThingsPushPath(pathname);
  const ids = message["end_device_ids"];
  return (
    named !== undefined &&
    search === "" &&
    hash === "" &&
    typeof ids === "object" &&
    ids !== null &&
    "device_id" in ids &&
    ids.device_id === named.deviceId
  );
}

/** Downlinks to devices last received by a webhook: by HTTP, which every process can send. */
export function thingsWebhookRoute(services: Services): Route {
  return {
    reaches: ({ way, serverId, topic }) => way === readThingsPush.way && serverId === null && topic === "",
    send: (order, isInTime) => sendOrder(services, order, isInTime),
  };
}

async function sendOrder(services: Services, order: Order, isInTime: () => boolean): Promise<Handed> {
  const { database, config } = services;
  const webhook = (await sessionOf(database.system, order.deviceId))?.webhook;
  if (!webhook) return refused("the device is not reached by a webhook any more");
  const key = keyOf(services, order, webhook.key);
  if (key === undefined) return refused("the key was kept under another key file");
  try {
    const to = destinationOf(config, webhook.url, ["https", "http"]);
    const named = parseThingsPushPath(to.path);
    if (!named) return refused("the webhook has no address for orders");
    const { headers, body } = thingsDownRequest(named, order, key);
    if (!isInTime()) return expired;
    const status = await postOut(config, to, { headers, body, isInTime });
    return status >= 200 && status < 300
      ? { state: "sent", message: "" }
      : refused(`the network server answered ${String(status)}`);
  } catch (error) {
    if (error instanceof OutgoingRefused) return refused(error.message);
    if (error instanceof OutgoingLate) return expired;
    if (isNotConnected(error)) return { state: "no_line", message: codeOf(error) };
    throw error;
  }
}

const refused = (message: string): Handed => ({ state: "refused", message });

/** Undefined when it was sealed with another key file. */
function keyOf(
  { secretBox, log }: Services,
  { id, companyId }: Order,
  sealed: Uint8Array,
): string | undefined {
  try {
    return secretBox.open(sealed, purposeOf(companyId));
  } catch (error) {
    log.error({ err: error, order: id }, "the key of a webhook does not open");
    return undefined;
  }
}
