import type { ReplyOf } from "@metrum/contract/core";
import type { DeviceModel, devices } from "@metrum/contract/metering";
import type { Status } from "./present.ts";

export type Device = ReplyOf<typeof devices.get>["metering_device"];

/** Message type of instantaneous values. */
export const instantType = 2;

/** What commands are sent to: a metering device or a gateway, with what is known of it. */
export interface Target {
  readonly id: number;
  readonly kind: "device" | "gateway";
  readonly name: string;
  /** Model, number and place, for the head and for confirmations. */
  readonly facts: readonly string[];
  /** Whether it reports, and when it did last; undefined: nothing is known of that. */
  readonly reports?: Pick<Device, "state" | "last_data_at">;
  readonly controls: DeviceModel["options"]["control"];
  readonly status: Status;
  /** Whether it measures power. */
  readonly hasPower: boolean;
  readonly reading: Device["last_reading"];
}

export const targetOf = ({ id, name, model, deviceID, place, ...device }: Device): Target => ({
  id,
  kind: "device",
  name,
  facts: [model.title, deviceID, place].filter((each) => each !== ""),
  reports: { state: device.state, last_data_at: device.last_data_at },
  controls: model.options.control,
  status: device.status,
  hasPower: Object.values(model.tabs).some(({ msgTypes }) => msgTypes.includes(instantType)),
  reading: device.last_reading,
});
