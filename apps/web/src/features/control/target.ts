import type { DeviceModel, devices, ReplyOf } from "@metrum/contract";
import type { Status } from "./present.ts";

export type Device = ReplyOf<typeof devices.get>["metering_device"];

/** What commands are sent to: a metering device or a gateway, with what is known of it. */
export interface Target {
  readonly id: number;
  readonly kind: "device" | "gateway";
  readonly name: string;
  /** Model, number and place, for the head and for confirmations. */
  readonly facts: readonly string[];
  readonly controls: DeviceModel["options"]["control"];
  readonly status: Status;
  /** The last reading: the load that a switch interrupts. */
  readonly reading: Device["last_reading"];
}

export const targetOf = ({ id, name, model, deviceID, place, status, last_reading }: Device): Target => ({
  id,
  kind: "device",
  name,
  facts: [model.title, deviceID, place].filter((each) => each !== ""),
  controls: model.options.control,
  status,
  reading: last_reading,
});
