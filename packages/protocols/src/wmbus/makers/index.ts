import type { WmbusIdentity } from "../link.ts";
import { apator08, apator172 } from "./apator08.ts";
import { apator162 } from "./apator162.ts";
import { bfw240 } from "./bfw.ts";
import { gwf } from "./gwf.ts";
import { hydrodigit } from "./hydrodigit.ts";
import { izar } from "./izar.ts";
import type { MakersDevices, MakersLayout } from "./layout.ts";
import { techemAllocator } from "./techemAllocator.ts";
import { techemCompactV, techemRadio3, techemRadio4, techemVario451 } from "./techemMeters.ts";

/** All known manufacturer layouts; a device has one layout per place. */
export const makersLayouts: readonly MakersLayout[] = [
  apator08,
  apator162,
  apator172,
  bfw240,
  gwf,
  hydrodigit,
  izar,
  techemAllocator,
  techemCompactV,
  techemRadio3,
  techemRadio4,
  techemVario451,
];

export {
  apator08,
  apator162,
  bfw240,
  gwf,
  hydrodigit,
  izar,
  techemAllocator,
  techemCompactV,
  techemRadio3,
  techemVario451,
};

type Device = Pick<WmbusIdentity, "manufacturer" | "version" | "medium">;

const isOne = ({ manufacturer, versions, media }: MakersDevices, device: Device): boolean =>
  manufacturer === device.manufacturer &&
  (versions?.includes(device.version) ?? true) &&
  (media?.includes(device.medium) ?? true);

/** The layout of this device in this place; undefined if unknown. Errors: none. */
export const makersLayout = (device: Device, place: MakersLayout["place"]): MakersLayout | undefined =>
  makersLayouts.find(
    (layout) => layout.place === place && layout.devices.some((each) => isOne(each, device)),
  );
