import type { ObjectAddress } from "@metrum/contract/accounting";
import { addressParts, addressText } from "./objects.ts";

/** An address as the fields of a form; degrees. */
export type AddressValues = Readonly<Record<"unrestricted_value" | (typeof addressParts)[number], string>> & {
  readonly latitude: number | null;
  readonly longitude: number | null;
};

export function addressValues(address: ObjectAddress | null | undefined): AddressValues {
  const of = (part: (typeof addressParts)[number]) => address?.[part] ?? "";
  return {
    unrestricted_value: address?.unrestricted_value ?? "",
    country: of("country"),
    region: of("region"),
    area: of("area"),
    city: of("city"),
    settlement: of("settlement"),
    city_district: of("city_district"),
    street: of("street"),
    house: of("house"),
    block: of("block"),
    latitude: address?.coordinates?.[0] ?? null,
    longitude: address?.coordinates?.[1] ?? null,
  };
}

/** Values after an address is chosen. Coordinates that were given without an address stay, those of another do not. */
export function filledFrom(chosen: ObjectAddress, before: AddressValues): AddressValues {
  const values = { ...addressValues(chosen), unrestricted_value: addressText(chosen) };
  const isAnother = addressParts.some((part) => before[part] !== "");
  return chosen.coordinates || isAnother
    ? values
    : { ...values, latitude: before.latitude, longitude: before.longitude };
}

/** Null without any part. Coordinates are complete or absent. */
export function addressOf({ latitude, longitude, ...texts }: AddressValues): ObjectAddress | null {
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ""));
  const coordinates: [number, number] | null =
    latitude === null || longitude === null ? null : [latitude, longitude];
  if (Object.keys(given).length === 0 && !coordinates) return null;
  return { ...given, ...(coordinates ? { coordinates } : {}) };
}
