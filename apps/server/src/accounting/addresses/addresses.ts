import {
  addressBounds,
  addresses,
  type AddressSuggestion,
  type ObjectAddress,
} from "@metrum/contract/accounting";
import { allows, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { Ctx } from "#core";
import * as own from "./ownStore.ts";
import type { ServiceAnswer } from "./service.ts";

type Suggested = ReplyOf<typeof addresses.dadata>;

/** Addresses that match a text, those of the company first. */
export async function suggest(ctx: Ctx, query: string, limit?: number): Promise<Suggested> {
  // Asked before the first statement: a transaction must not wait for an outside service.
  const answer = await ctx.parts.addressServices.maps.ask(ctx.scope.companyId, {
    text: query,
    language: ctx.language,
  });
  return together(await ownMatching(ctx, query), answer, limit);
}

/** Hints of the register alone. */
export async function registerHints(ctx: Ctx, query: string): Promise<ReplyOf<typeof addresses.garHints>> {
  const { parts, scope, language } = ctx;
  const answer = await parts.addressServices.register.ask(scope.companyId, { text: query, language });
  const { suggestions: hints, is_configured, is_reached } = together([], answer);
  return { hints, is_configured, is_reached };
}

/** Forward with a text, backward with coordinates. Problem: wrong_input. */
export async function geocode(
  ctx: Ctx,
  { query, lat, lon, limit }: ParsedOf<typeof addresses.search>["body"],
): Promise<Suggested> {
  if (query !== undefined) return suggest(ctx, query, limit);
  if (lat === undefined || lon === undefined)
    throw problem("wrong_input", { attributes: { query: ["required"] } });
  const place = { latitude: lat, longitude: lon };
  const answer = await ctx.parts.addressServices.maps.ask(ctx.scope.companyId, {
    ...place,
    language: ctx.language,
  });
  const near = isReader(ctx) ? await own.addressesNear(ctx.db, ctx.scope, place) : [];
  return together(near, answer, limit);
}

/** The calls for everybody show addresses of objects only to those who may read them. */
const isReader = ({ scope }: Ctx): boolean => allows(addresses.dadata.right, scope.access);

async function ownMatching(ctx: Ctx, query: string): Promise<ObjectAddress[]> {
  const { db, scope } = ctx;
  if (!isReader(ctx)) return [];
  return [
    ...(await own.addressesOfObjects(db, scope, query)),
    ...(await own.addressesOfPoints(db, scope, query)),
  ];
}

/** Own addresses first, each text once. */
function together(
  ours: readonly ObjectAddress[],
  { found, is_configured, is_reached }: ServiceAnswer,
  limit: number = addressBounds.suggestions,
): Suggested {
  const all: AddressSuggestion[] = [
    ...ours.map((address) => ({ ...address, source: "own" as const })),
    ...found.map((address) => ({ ...address, source: "service" as const })),
  ];
  const unique = new Map(all.toReversed().map((each) => [textOf(each), each]));
  return {
    suggestions: [...unique.values()].reverse().slice(0, limit),
    is_configured,
    is_reached,
  };
}

function textOf({ unrestricted_value, city, settlement, street, house, block }: ObjectAddress): string {
  const text = unrestricted_value || [city ?? settlement, street, house, block].filter(Boolean).join(", ");
  return text.toLowerCase();
}
