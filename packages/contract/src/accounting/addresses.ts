import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { ShortText } from "../core/values.ts";
import { ObjectAddress } from "./objectFields.ts";

/** Bounds of address suggestions: those of one answer, and requests to the outside service per company. */
export const addressBounds = {
  suggestions: 5,
  query: 255,
  perMinute: 120,
} as const;

/** Where a suggestion comes from: addresses of the own objects and points, or the service of the installation. */
export const addressSources = ["own", "service"] as const;

const Query = ShortText.check(z.minLength(1));
const Suggestion = z.extend(ObjectAddress, { source: z.enum(addressSources) });
export type AddressSuggestion = z.infer<typeof Suggestion>;

const IsConfigured = z
  .boolean()
  .check(z.describe("whether this installation has an address service; without one only own addresses come"));
const suggestions = z.object({
  suggestions: z.array(Suggestion),
  is_configured: IsConfigured,
  is_reached: z
    .boolean()
    .check(
      z.describe("false: the service did not answer, or was asked too often, so only own addresses come"),
    ),
});

/** Addresses suggested while one is typed. Everything also works by hand, without any service. */
export const addresses = {
  dadata: call({
    id: "object.dadata",
    method: "POST",
    path: "objects/get_info_from_dadata",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "Addresses that match a text: those the company has first, then those of the address service",
    body: z.object({ query: Query }),
    reply: suggestions,
    perMinute: 600,
  }),
  garHints: call({
    id: "proxy.garHints",
    method: "POST",
    path: "proxy/gar_hints",
    right: null,
    reach: "branch",
    summary: "Hints of the state address register, if this installation has one",
    body: z.object({ query: Query }),
    reply: z.object({
      hints: z.array(Suggestion),
      is_configured: IsConfigured,
      is_reached: z.boolean(),
    }),
    perMinute: 600,
  }),
  search: call({
    id: "geo.search",
    method: "POST",
    path: "proxy/geocode",
    right: null,
    reach: "branch",
    summary: "Coordinates of an address, or addresses near coordinates",
    body: z.object({
      query: z.optional(Query),
      lat: z.optional(z.number().check(z.gte(-90), z.lte(90))),
      lon: z.optional(z.number().check(z.gte(-180), z.lte(180))),
      limit: z.optional(z.int().check(z.gte(1), z.lte(addressBounds.suggestions))),
    }),
    reply: suggestions,
    perMinute: 600,
  }),
};
