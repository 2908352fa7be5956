import { modelById } from "@metrum/catalogue";
import { dialInLine, tcpLine, type LineTarget } from "#channels";
import type { PolledDevice } from "./asked.ts";

/** What says where the line of a gateway is. */
export interface GatewayPlace {
  readonly gatewayId: number;
  readonly gatewayModelId: number;
  readonly host: string | null;
  readonly port: number | null;
}

/** The line on which a device is asked; undefined when nothing says how to reach it. */
export function lineOf(device: PolledDevice): LineTarget | undefined {
  const echoes = device.properties["echo"] === true;
  const { gatewayId, gatewayModelId } = device;
  if (gatewayId !== null && gatewayModelId !== null && dialsIn(gatewayModelId))
    return { key: dialInLine(gatewayId), tcp: undefined };
  return tcpTarget(
    device.host ?? textOf(device.properties["host"]),
    device.port ?? Number(device.properties["port"]),
    echoes,
  );
}

/** The line behind a gateway; undefined when it neither dials in nor has an address. */
export function lineOfGateway({
  gatewayId,
  gatewayModelId,
  host,
  port,
}: GatewayPlace): LineTarget | undefined {
  if (dialsIn(gatewayModelId)) return { key: dialInLine(gatewayId), tcp: undefined };
  return tcpTarget(host ?? undefined, port ?? Number.NaN, false);
}

function dialsIn(modelId: number): boolean {
  const model = modelById(modelId);
  return model?.kind === "gateway" && model.connection === "dial_in";
}

function tcpTarget(host: string | undefined, port: number, echoes: boolean): LineTarget | undefined {
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return { key: tcpLine(host, port), tcp: { host, port, echoes } };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
