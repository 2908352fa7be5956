import { fromBase64, toBase64 } from "../core/base64.ts";
import { fieldsOf, parseJson } from "../core/json.ts";
import { applicationPort, checkDown, checkedPayload, type LoraDown } from "../lorawan/event.ts";
import type { DownRequest } from "../chirpstack/build.ts";
import { referencePrefix, type ThingsEvent } from "./events.ts";

/**
 * The message as The Things Stack would send it, for the simulator; what `readThings` reads back.
 * Source and layout: `readThings`. A device has no status of its own there: `status` becomes an uplink's last
 * battery in real life and cannot be built.
 */
export function buildThings(event: Exclude<ThingsEvent, { event: "status" }>): string {
  const { devEui, deviceId, application, at } = event;
  const time = at === null ? {} : { received_at: new Date(at * 1000).toISOString() };
  const devAddr = "devAddr" in event && event.devAddr !== "" ? { dev_addr: event.devAddr.toUpperCase() } : {};
  const ids = {
    device_id: deviceId,
    application_ids: { application_id: application.split("@")[0] },
    dev_eui: devEui.toUpperCase(),
    ...devAddr,
  };
  return JSON.stringify({ end_device_ids: ids, ...time, ...contentOf(event, time) });
}

function contentOf(event: Exclude<ThingsEvent, { event: "status" }>, time: object): object {
  switch (event.event) {
    case "up":
      return { uplink_message: { ...uplinkOf(event), ...time } };
    case "join":
      return { join_accept: { session_key_id: event.deduplicationId.split(":")[2] ?? "", ...time } };
    case "downlink": {
      const { outcome, reference, fCntDown, reason } = event;
      const downlink = {
        ...(fCntDown === null ? {} : { f_cnt: fCntDown }),
        correlation_ids: reference === "" ? [] : [`${referencePrefix}${reference}`],
      };
      if (outcome === "failed") return { downlink_failed: { downlink, error: { message_format: reason } } };
      return { [fieldOf[outcome]]: downlink };
    }
  }
}

const fieldOf = {
  queued: "downlink_queued",
  sent: "downlink_sent",
  acknowledged: "downlink_ack",
  not_acknowledged: "downlink_nack",
} as const;

function uplinkOf(up: Extract<ThingsEvent, { event: "up" }>): object {
  const [, spreading_factor = 0, kilohertz = 0] = (/^SF(\d+)BW([\d.]+)$/.exec(up.dataRate) ?? []).map(Number);
  const lora = { bandwidth: kilohertz * 1000, spreading_factor };
  return {
    session_key_id: up.deduplicationId.split(":")[2] ?? "",
    ...(up.fPort === 0 ? {} : { f_port: up.fPort }),
    ...(up.fCnt === 0 ? {} : { f_cnt: up.fCnt }),
    ...(up.confirmed ? { confirmed: true } : {}),
    frm_payload: toBase64(up.payload),
    rx_metadata: up.receptions.map(({ gatewayId, rssi, snr }) => ({
      gateway_ids: { gateway_id: gatewayId },
      rssi,
      snr,
    })),
    settings: spreading_factor > 0 ? { data_rate: { lora } } : {},
  };
}

/**
 * Body of `down/push` and `down/replace`, over MQTT and webhooks alike.
 * Source: The Things Stack documentation, MQTT Server and Webhooks, scheduling downlinks. `reference` comes
 * back among the correlation ids of every outcome. Errors: RangeError when port or length are invalid in
 * LoRaWAN (a bug of the caller).
 */
export function buildThingsDown(down: LoraDown): string {
  checkDown(down);
  const { fPort, payload, confirmed, reference } = down;
  return JSON.stringify({
    downlinks: [
      {
        f_port: fPort,
        frm_payload: toBase64(payload),
        confirmed,
        priority: "NORMAL",
        ...(reference === undefined ? {} : { correlation_ids: [`${referencePrefix}${reference}`] }),
      },
    ],
  });
}

/**
 * Reads a downlink order, the server's side of `buildThingsDown`. Errors: ProtocolError "unexpected" as
 * `readThings`.
 */
export function parseThingsDown(body: string): LoraDown[] {
  return fieldsOf(parseJson(body))
    .list("downlinks")
    .map((each) => {
      const own = each.texts("correlation_ids").find((id) => id.startsWith(referencePrefix));
      return {
        fPort: applicationPort(each, "f_port"),
        payload: checkedPayload(fromBase64(each.text("frm_payload"))),
        confirmed: each.flag("confirmed"),
        ...(own === undefined ? {} : { reference: own.slice(referencePrefix.length) }),
      };
    });
}

/**
 * Where a webhook of an application takes downlinks: the names as The Things Stack has them, without the
 * tenant.
 */
export interface ThingsWebhook {
  readonly applicationId: string;
  readonly webhookId: string;
  readonly deviceId: string;
}

const pushPath = /^\/api\/v3\/as\/applications\/([^/]+)\/webhooks\/([^/]+)\/devices\/([^/]+)\/down\/push$/;

/**
 * Ids in a path for orders by HTTP; undefined for other paths.
 * Source and layout: `thingsDownRequest`; ids of The Things Stack are of small letters, digits and dashes, 2
 * to 36 (API reference). Errors: none.
 */
export function parseThingsPushPath(path: string): ThingsWebhook | undefined {
  const [, applicationId = "", webhookId = "", deviceId = ""] = pushPath.exec(path) ?? [];
  const ids = [applicationId, webhookId, deviceId];
  return ids.every((id) => /^[a-z0-9](?:-?[a-z0-9]){1,35}$/.test(id))
    ? { applicationId, webhookId, deviceId }
    : undefined;
}

/**
 * The same order over HTTP. Source: The Things Stack documentation, Webhooks, scheduling downlinks: POST
 * /api/v3/as/applications/{application}/webhooks/{webhook}/devices/{device}/down/push with an API key as
 * bearer token.
 * Errors: as `buildThingsDown`. Not tried against a live server.
 */
export function thingsDownRequest(
  webhook: ThingsWebhook,
  down: LoraDown,
  apiKey: string,
  how: "push" | "replace" = "push",
): DownRequest {
  const [application, hook, device] = [webhook.applicationId, webhook.webhookId, webhook.deviceId].map(
    encodeURIComponent,
  );
  return {
    method: "POST",
    path: `/api/v3/as/applications/${application}/webhooks/${hook}/devices/${device}/down/${how}`,
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: buildThingsDown(down),
  };
}
