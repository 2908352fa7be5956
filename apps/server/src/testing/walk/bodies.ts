import { meterModels } from "@metrum/catalogue";

export const aMapping = { topic: "sensors/{device}", values: [{ path: "t", field: "tariff1" }] };

export const aServer = {
  kind: "things",
  name: "TTS",
  url: "mqtts://eu1.cloud.example:8883",
  username: "app@t",
};

/** One reading of the device, of a field supported by the first model of the catalogue. */
export const aFile = (device: number): string =>
  `device_id,time,${String(meterModels[0]?.fields[0])}\n${String(device)},1793500000,5\n`;

/** A radio meter with a unique number. */
export const aRadioDevice = () => ({
  kind: "device" as const,
  identity: crypto.randomUUID(),
  name: "Water, flat 12",
  model_id: 301,
});

/** A unique e-mail address. */
export function anEmail(): string {
  return `${crypto.randomUUID()}@metrum.example`;
}

/** A period of a device in November 2026. */
export function november(device_id: number): object {
  return { device_id, startDate: 1_793_491_200, stopDate: 1_793_577_600 };
}

export function messagesOf(device_id: number): object {
  return { ...november(device_id), msgType: 1 };
}

/** A push of one reading of a device. */
export function aPushOf(device_id: number): object {
  return { readings: [{ device_id, time: 1_793_500_000, values: { tariff1: 5 } }] };
}

/** A poll group of the first model of the catalogue with a unique name. */
export const aPollGroup = (device_ids: number[]) => ({
  name: crypto.randomUUID(),
  model_id: meterModels[0]?.id ?? 0,
  device_interface_id: 4,
  report_period_update: 3600 as const,
  device_ids,
});
