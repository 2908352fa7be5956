import { fromBase64, toBase64 } from "../core/base64.ts";
import { fieldsOf, parseJson, secondsOf } from "../core/json.ts";
import { applicationPort, checkDown, checkedPayload, devEuiOf, type LoraDown } from "../lorawan/event.ts";
import type { ChirpStackEvent, UpEvent } from "./events.ts";

/** Zero, empty and false are omitted, as in proto3. */
function omitZeros(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== 0 && each !== "" && each !== false),
  );
}

type Told = Pick<ChirpStackEvent, "at" | "devEui" | "deviceName" | "applicationId">;

function headOf({ at, devEui, deviceName, applicationId }: Told): Record<string, unknown> {
  return {
    ...(at === null ? {} : { time: new Date(at * 1000).toISOString() }),
    deviceInfo: omitZeros({ applicationId, deviceName, devEui }),
  };
}

/**
 * Body of an `up` event as the network server would publish it, for the simulator.
 * Source and layout: `parseChirpStackEvent`, which reads it back.
 */
export function buildChirpStackUp(up: Omit<UpEvent, "event">): string {
  const { deduplicationId, devAddr, fCnt, fPort, dr, confirmed, payload, receptions } = up;
  return JSON.stringify({
    ...headOf(up),
    ...omitZeros({ deduplicationId, devAddr, fCnt, fPort, dr, confirmed, data: toBase64(payload) }),
    rxInfo: receptions.map((each) => omitZeros({ ...each })),
  });
}

/** Body of any event, for the simulator; the reverse of `parseChirpStackEvent`. */
export function buildChirpStackEvent(event: ChirpStackEvent): string {
  switch (event.event) {
    case "up":
      return buildChirpStackUp(event);
    case "status": {
      const { batteryLevel, margin, externalPowerSource, deduplicationId } = event;
      const battery = batteryLevel === null ? { batteryLevelUnavailable: true } : { batteryLevel };
      return JSON.stringify({
        ...headOf(event),
        ...omitZeros({ deduplicationId, margin, externalPowerSource, ...battery }),
      });
    }
    default: {
      const own = Object.fromEntries(
        Object.entries(event).filter(
          ([name]) => !["event", "at", "devEui", "deviceName", "applicationId"].includes(name),
        ),
      );
      return JSON.stringify({ ...headOf(event), ...omitZeros(own) });
    }
  }
}

/** A command for a device. */
export interface ChirpStackDown extends LoraDown {
  readonly devEui: string;
}

/**
 * Body of a `down` command over MQTT. `reference` becomes the id of the queue item and must be a UUID; the
 * server makes one when it is absent.
 * Source: ChirpStack v4 documentation, MQTT integration, scheduling a downlink;
 * api/proto/integration/integration.proto, DownlinkCommand. Errors: RangeError when port or length are
 * invalid in LoRaWAN (a bug of the caller).
 */
export function buildChirpStackDown(down: ChirpStackDown): string {
  checkDown(down);
  const { devEui, confirmed, fPort, payload, reference } = down;
  return JSON.stringify({
    ...(reference === undefined ? {} : { id: reference }),
    devEui: devEui.toLowerCase(),
    confirmed,
    fPort,
    data: toBase64(payload),
    ...expiryOf(down),
  });
}

/** Servers before version 4.11 ignore it. */
const expiryOf = ({ validUntil }: LoraDown): { readonly expiresAt?: string } =>
  validUntil === undefined || validUntil === null
    ? {}
    : { expiresAt: new Date(validUntil * 1000).toISOString() };

/**
 * Reads a `down` command, the network server's side of `buildChirpStackDown`.
 * Errors: ProtocolError "unexpected" as `parseChirpStackEvent`, and for a port outside 1 to 223.
 */
export function parseChirpStackDown(body: string): ChirpStackDown {
  const fields = fieldsOf(parseJson(body));
  const reference = fields.text("id");
  const validUntil = secondsOf(fields.text("expiresAt"));
  return {
    devEui: devEuiOf(fields, "devEui"),
    confirmed: fields.flag("confirmed"),
    fPort: applicationPort(fields, "fPort"),
    payload: checkedPayload(fromBase64(fields.text("data"))),
    ...(reference === "" ? {} : { reference }),
    ...(validUntil === null ? {} : { validUntil }),
  };
}

/** A request to the HTTP interface of a network server. */
export interface DownRequest {
  readonly method: "POST";
  /** After the address of the server, its query included. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The same command over HTTP: the gRPC gateway (chirpstack-rest-api) queues an item of the device.
 * Source: ChirpStack v4, api/proto/api/device.proto, DeviceService.Enqueue (POST
 * /api/devices/{dev_eui}/queue). Layout: the token in `Grpc-Metadata-Authorization`. Errors: as
 * `buildChirpStackDown`. Not tried against a live server.
 */
export function chirpStackDownRequest(down: ChirpStackDown, token: string): DownRequest {
  checkDown(down);
  const { devEui, confirmed, fPort, payload, reference } = down;
  const id = reference === undefined ? {} : { id: reference };
  return {
    method: "POST",
    path: `/api/devices/${devEui.toLowerCase()}/queue`,
    headers: { "content-type": "application/json", "grpc-metadata-authorization": `Bearer ${token}` },
    body: JSON.stringify({
      queueItem: { ...id, confirmed, fPort, data: toBase64(payload), ...expiryOf(down) },
    }),
  };
}
