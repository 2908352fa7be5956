import { modelById } from "@metrum/catalogue";
import type { DeviceAddress } from "@metrum/protocols/core";
import { dialInLine, serialLine, serialTarget, tcpLine, type LineTarget } from "#headend/channels";
import type { PolledDevice } from "./askedStore.ts";

/** Fields that determine the line of a gateway. */
export interface GatewayPlace {
  readonly gatewayId: number;
  readonly gatewayModelId: number;
  readonly host: string | null;
  readonly port: number | null;
  /** A serial port of the server, which takes precedence over host and port. */
  readonly serial: unknown;
  /** Entered by a user of the company, not by the operator of the server. */
  readonly isEntered: boolean;
}

/** The line on which a device is polled; undefined when it cannot be reached. */
export function lineOf(device: PolledDevice): LineTarget | undefined {
  const echoes = device.properties["echo"] === true;
  const { gatewayId, gatewayModelId } = device;
  const serial = device.serial ?? device.properties["serial"];
  if (serial !== undefined) return serialLineOf(serial, echoes);
  if (gatewayId !== null && gatewayModelId !== null && dialsIn(gatewayModelId))
    return { key: dialInLine(gatewayId), tcp: undefined };
  return tcpTarget(
    device.host ?? textOf(device.properties["host"]),
    device.port ?? Number(device.properties["port"]),
    { echoes, isEntered: device.isEntered },
  );
}

/**
 * Line parameters for the driver of a device: a fixed baud rate if configured (`fixed_baud` of the
 * properties), how meters are opened there, and whether DLMS is wrapped.
 */
export function lineFacts(device: PolledDevice): Pick<DeviceAddress, "fixedBaud" | "signOn" | "isWrapped"> {
  const fixedBaud = device.properties["fixed_baud"];
  const serial = lineOf(device)?.serial;
  return {
    ...(typeof fixedBaud === "number" ? { fixedBaud } : {}),
    ...(serial?.sign_on === "mode_e" ? { signOn: { evenParity: serial.parity === "none" } } : {}),
    ...(device.isWrapped ? { isWrapped: true } : {}),
  };
}

/** The line behind a gateway; undefined when it neither dials in nor has an address. */
export function lineOfGateway({
  gatewayId,
  gatewayModelId,
  host,
  port,
  serial,
  isEntered,
}: GatewayPlace): LineTarget | undefined {
  if (serial !== null) return serialLineOf(serial, false);
  if (dialsIn(gatewayModelId)) return { key: dialInLine(gatewayId), tcp: undefined };
  return tcpTarget(host ?? undefined, port ?? Number.NaN, { echoes: false, isEntered });
}

function dialsIn(modelId: number): boolean {
  const model = modelById(modelId);
  return model?.kind === "gateway" && model.connection === "dial_in";
}

/** Undefined if the row describes no valid port. */
function serialLineOf(value: unknown, echoes: boolean): LineTarget | undefined {
  const serial = serialTarget(value, echoes);
  return typeof serial === "string" ? undefined : { key: serialLine(serial.path), tcp: undefined, serial };
}

function tcpTarget(
  host: string | undefined,
  port: number,
  how: { readonly echoes: boolean; readonly isEntered: boolean },
): LineTarget | undefined {
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return { key: tcpLine(host, port), tcp: { host, port, ...how } };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
