import { modelById, type MeterModel } from "@metrum/catalogue";
import { dialInLine, tcpLine, type LineTarget } from "#channels";
import type { PolledDevice } from "#exchanges";

/** The line on which a device is asked; undefined when nothing says how to reach it. */
export function lineOf(device: PolledDevice): LineTarget | undefined {
  const echoes = device.properties["echo"] === true;
  const gateway = device.gatewayModelId === null ? undefined : modelById(device.gatewayModelId);
  if (device.gatewayId !== null && gateway?.kind === "gateway" && gateway.connection === "dial_in")
    return { key: dialInLine(device.gatewayId), tcp: undefined };
  const host = device.host ?? textOf(device.properties["host"]);
  const port = device.port ?? Number(device.properties["port"]);
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return { key: tcpLine(host, port), tcp: { host, port, echoes } };
}

/** The model of a device that answers over a line; undefined for all others. */
export function lineModel(modelId: number): MeterModel | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" && model.driver.kind === "line" ? model : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
