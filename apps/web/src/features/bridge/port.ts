import type { InputOf, ReplyOf } from "@metrum/contract/core";
import { modelClasses, type bridge, type TransparentPort } from "@metrum/contract/headend";
import type { devices } from "@metrum/contract/metering";

type Device = ReplyOf<typeof devices.get>["metering_device"];
export type Lendable = Pick<Device, "is_active" | "is_archived" | "is_deleted" | "gateway" | "properties"> & {
  readonly model: { readonly options: Pick<Device["model"]["options"], "virtual_bridge"> };
};

/** Whether there is a line: the model is polled over one, its address is known, and the device is in use. */
export function canBeLent({ model, gateway, properties, ...device }: Lendable): boolean {
  if (!model.options.virtual_bridge.active) return false;
  if (!device.is_active || device.is_archived || device.is_deleted) return false;
  return gateway !== null || ["host", "serial"].some((name) => (properties[name] ?? "") !== "");
}

/** What has a line: a metering device or a gateway. */
export type LineOwner = keyof typeof modelClasses;

/** The newest port of a device or gateway, open or not. */
export const newestOf = (deviceId: number, owner: LineOwner = "device"): InputOf<typeof bridge.list> => ({
  body: {
    device_id: deviceId,
    model_class_id: modelClasses[owner],
    sort_field: "id",
    sort: "desc",
    per_page: 10,
  },
});

/** State of the dialog: the offer, the open port, or the end of the port that was shown open. */
export type Phase =
  | { readonly name: "waiting" }
  | { readonly name: "failed" }
  | { readonly name: "offer" }
  | { readonly name: "open" | "ended"; readonly port: TransparentPort };

/** `seen`: id of the port that this dialog has shown open. */
export function phaseOf(asked: {
  readonly rows: readonly TransparentPort[] | undefined;
  readonly isFailed: boolean;
  readonly seen: number | undefined;
}): Phase {
  const { rows, isFailed, seen } = asked;
  if (rows === undefined) return { name: isFailed ? "failed" : "waiting" };
  const [port] = rows;
  if (port?.is_active) return { name: "open", port };
  return port !== undefined && port.id === seen ? { name: "ended", port } : { name: "offer" };
}

/** host:port for a program. */
export function addressOf({ host, port }: Pick<TransparentPort, "host" | "port">): string {
  const shown = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${shown}:${String(port ?? "")}`;
}

/**
 * Remaining seconds at `now` of the server's value at `saidAt`, both in seconds of this clock, whose error
 * cancels out.
 */
export function leftOf(secondsLeft: number, saidAt: number, now: number): number {
  return Math.max(0, Math.min(secondsLeft, Math.round(secondsLeft - (now - saidAt))));
}

/** 59:07 */
export function clockOf(seconds: number): string {
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`;
}

const explained = ["bridge_busy", "bridge_full", "line_down", "bridge_off", "device_put_away"] as const;

/** Refusals with a suggestion for the user. */
export const stepAfter = (code: string): (typeof explained)[number] | undefined =>
  explained.find((each) => each === code);
