import { addressBounds, type ObjectAddress } from "@metrum/contract/accounting";
import type { Language } from "@metrum/vocabulary";
import { z } from "zod";

/** What an address service is asked: a text, or what is near coordinates. */
export type Question =
  | { readonly text: string; readonly language: Language }
  | { readonly latitude: number; readonly longitude: number; readonly language: Language };

/** A request to a service: a POST with a body, else a GET. `path` is added to the configured address. */
export interface Asking {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** One kind of address service: how it is asked, and what its answer says. */
export interface Adapter {
  readonly ask: (question: Question, key: string) => Asking | undefined;
  /** Throws ZodError for an answer of another shape. */
  readonly read: (answer: unknown) => ObjectAddress[];
}

const most = addressBounds.suggestions;
const text = z.string().nullish();
const degrees = z.coerce.number().nullish().catch(null);

/** Only what an address may be, whatever the service says; nothing without any part. */
function addressOf(
  parts: Readonly<Partial<Record<Exclude<keyof ObjectAddress, "coordinates">, string | null | undefined>>>,
  latitude: number | null | undefined,
  longitude: number | null | undefined,
): ObjectAddress[] {
  const given: Partial<Record<string, string>> = {};
  for (const [name, part] of Object.entries(parts)) if (part?.trim()) given[name] = part.trim().slice(0, 255);
  if (Object.keys(given).length === 0) return [];
  const coordinates: [number, number] | undefined =
    isWithin(latitude, 90) && isWithin(longitude, 180) ? [latitude, longitude] : undefined;
  return [{ ...given, ...(coordinates ? { coordinates } : {}) }];
}

const isWithin = (degrees: number | null | undefined, most: number): degrees is number =>
  typeof degrees === "number" && Math.abs(degrees) <= most;

const dadataAnswer = z.object({
  suggestions: z
    .array(
      z.object({
        unrestricted_value: text,
        value: text,
        data: z.object({
          country: text,
          region_with_type: text,
          area_with_type: text,
          city: text,
          settlement: text,
          city_district: text,
          street_with_type: text,
          house: text,
          block: text,
          geo_lat: degrees,
          geo_lon: degrees,
        }),
      }),
    )
    .max(100),
});

/** DaData, suggestions API 4.1: `suggest/address` and `geolocate/address`. */
const dadata: Adapter = {
  ask: (question, key) => ({
    path: "text" in question ? "/suggest/address" : "/geolocate/address",
    body:
      "text" in question
        ? { query: question.text, count: most, language: question.language === "ru" ? "ru" : "en" }
        : { lat: question.latitude, lon: question.longitude, count: most },
    headers: { authorization: `Token ${key}` },
  }),
  read: (answer) =>
    dadataAnswer.parse(answer).suggestions.flatMap(({ unrestricted_value, value, data }) =>
      addressOf(
        {
          unrestricted_value: unrestricted_value ?? value,
          country: data.country,
          region: data.region_with_type,
          area: data.area_with_type,
          city: data.city,
          settlement: data.settlement,
          city_district: data.city_district,
          street: data.street_with_type,
          house: data.house,
          block: data.block,
        },
        data.geo_lat,
        data.geo_lon,
      ),
    ),
};

const found = z.object({
  display_name: text,
  lat: degrees,
  lon: degrees,
  address: z.record(z.string(), z.unknown()).nullish(),
});
const nominatimAnswer = z.union([
  z.array(found).max(100),
  z.object({ error: z.unknown() }).transform(() => []),
  found.transform((one) => [one]),
]);

/** Nominatim of OpenStreetMap, own or public: `search` and `reverse` in the format jsonv2. */
const nominatim: Adapter = {
  ask: (question, key) => ({
    path: "text" in question ? "/search" : "/reverse",
    query: {
      format: "jsonv2",
      addressdetails: "1",
      "accept-language": question.language,
      ...("text" in question
        ? { q: question.text, limit: String(most) }
        : { lat: String(question.latitude), lon: String(question.longitude) }),
      ...(key === "" ? {} : { key }),
    },
    headers: {},
  }),
  read: (answer) =>
    nominatimAnswer.parse(answer).flatMap(({ display_name, lat, lon, address }) => {
      const part = (...names: readonly string[]): string | undefined =>
        names.map((name) => address?.[name]).find((each) => typeof each === "string");
      return addressOf(
        {
          unrestricted_value: display_name,
          country: part("country"),
          region: part("state", "region", "province"),
          area: part("county", "municipality"),
          city: part("city", "town"),
          settlement: part("village", "hamlet"),
          city_district: part("city_district", "suburb", "borough"),
          street: part("road", "pedestrian"),
          house: part("house_number"),
        },
        lat,
        lon,
      );
    }),
};

const garAnswer = z.object({
  hints: z
    .array(z.object({ full_name: z.string() }))
    .max(1000)
    .nullish(),
});

/** Hints of the state address register of Russia (public service of FIAS, v2.0): only texts. */
const gar: Adapter = {
  ask: (question, key) =>
    "text" in question
      ? {
          path: "/GetAddressHint",
          query: { search_string: question.text, address_type: "2" },
          headers: { "master-token": key },
        }
      : undefined,
  read: (answer) =>
    (garAnswer.parse(answer).hints ?? []).flatMap(({ full_name }) =>
      addressOf({ unrestricted_value: full_name }, null, null),
    ),
};

export const adapters = { dadata, nominatim, gar } as const;
