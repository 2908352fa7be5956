import { modelById } from "@metrum/catalogue";
import { pageSize, problem, type ParsedOf } from "@metrum/contract/core";
import type { codecs, CodecField, PayloadCodec } from "@metrum/contract/metering";
import { fromHex } from "@metrum/protocols/core";
import { factorOf, fieldOf, fields, isFieldName, pulses, units, type ResourceKey } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import { forgetActive } from "./active.ts";
import { mappingOf, readOutcome } from "./decode.ts";
import * as store from "./store.ts";

const usualPage = 25;
const largestPage = 100;

export async function codecPage(ctx: Ctx, body: ParsedOf<typeof codecs.list>["body"]) {
  const per_page = pageSize(body.per_page ?? usualPage, largestPage);
  const current_page = body.page ?? 1;
  const { rows, total } = await store.page(ctx.db, ctx.scope, {
    model_id: body.model_id,
    limit: per_page,
    offset: (current_page - 1) * per_page,
  });
  return { data: rows, current_page, last_page: Math.max(1, Math.ceil(total / per_page)), per_page, total };
}

/** Every save is a new version; without `is_active` devices keep the present one. */
export async function saveCodec(
  ctx: Ctx,
  given: ParsedOf<typeof codecs.save>["body"],
): Promise<PayloadCodec> {
  const resource = resourceOf(given.model_id);
  const field_map = given.field_map ?? {};
  checkMap(field_map, resource);
  if (given.id !== undefined) {
    const edited = await store.one(ctx.db, ctx.scope, await resolveOne(ctx, "codec", given.id));
    if (edited?.model_id !== given.model_id) throw problem("not_found");
  }
  await checkSource(ctx, given.source_code);
  const { id, version } = await store.add(ctx.db, ctx.scope, {
    model_id: given.model_id,
    name: given.name,
    source_code: given.source_code,
    field_map,
    test_payloads: given.test_payloads ?? [],
    created_at: ctx.clock.now(),
  });
  await record(ctx, {
    action: "codec.save",
    subject: `codec ${id}`,
    after: { model_id: given.model_id, version, name: given.name, is_active: given.is_active ?? false },
  });
  const codec = await opened(ctx, id);
  return given.is_active === true ? switchTo(ctx, codec, true) : codec;
}

export async function switchCodec(ctx: Ctx, given: number, isActive: boolean): Promise<PayloadCodec> {
  const codec = await opened(ctx, given);
  if (codec.is_active === isActive) return codec;
  const after = await switchTo(ctx, codec, isActive);
  await record(ctx, {
    action: "codec.switch",
    subject: `codec ${codec.id}`,
    before: { is_active: codec.is_active },
    after: { model_id: codec.model_id, version: codec.version, is_active: isActive },
  });
  return after;
}

export async function removeCodec(ctx: Ctx, given: number): Promise<PayloadCodec> {
  const codec = await opened(ctx, given);
  await store.remove(ctx.db, ctx.scope, await resolveOne(ctx, "codec", given));
  ctx.afterCommit(() => forgetActive(ctx, ctx.scope.companyId));
  const { model_id, version, name, is_active } = codec;
  await record(ctx, {
    action: "codec.delete",
    subject: `codec ${codec.id}`,
    before: { model_id, version, name, is_active },
  });
  return codec;
}

/**
 * A script that does not load, or has no uplink function, could decode nothing. One that loads too slowly or
 * cannot be tried now is checked by its first payload. Problem: wrong_input with the message of the
 * interpreter.
 */
async function checkSource(ctx: Ctx, source: string): Promise<void> {
  const outcome = await ctx.parts.codecs.pool.run(
    { company: ctx.scope.companyId, codec: `save ${ctx.scope.userId}` },
    { call: "decodeUplink", source, bytes: [], fPort: 1, recvTimeMs: ctx.clock.nowMs(), isLookedFor: true },
  );
  if (outcome.kind === "failed" && outcome.failure === "error")
    throw problem("wrong_input", { attributes: { source_code: [outcome.message] } });
}

/** Runs an unsaved script, as the devices of the model would run it. */
export async function testCodec(ctx: Ctx, body: ParsedOf<typeof codecs.test>["body"]) {
  const field_map = body.field_map ?? {};
  if (body.model_id !== undefined) checkMap(field_map, resourceOf(body.model_id));
  const outcome = await ctx.parts.codecs.pool.run(
    { company: ctx.scope.companyId, codec: `test ${ctx.scope.userId}` },
    {
      call: "decodeUplink",
      source: body.source_code,
      bytes: [...fromHex(body.payload)],
      fPort: body.fport,
      recvTimeMs: ctx.clock.now() * 1000,
    },
  );
  const mapping = mappingOf(body.model_id, field_map, { impulseWeight: 1, startingValue: 0 });
  const { data, warnings, errors, readings } = readOutcome(outcome, mapping);
  return {
    data,
    warnings: [...warnings],
    errors: [...errors],
    duration_ms: Math.round(outcome.durationMs * 10) / 10,
    readings: readings.flatMap(({ at, values }) =>
      Object.entries(values).map(([name, value]) => ({
        name,
        value,
        unit: isFieldName(name) ? units[fieldOf(name, mapping.resource).unit][ctx.language] : "",
        time: at,
      })),
    ),
  };
}

/** Only LoRaWAN devices have payloads that a codec could decode. */
function resourceOf(modelId: number): ResourceKey {
  const model = modelById(modelId);
  if (model?.kind !== "meter" || !model.interfaces.includes("LoRaWAN")) throw problem("codec_model");
  return model.resource;
}

function checkMap(map: Readonly<Record<string, CodecField>>, resource: ResourceKey): void {
  for (const [key, { name, unit }] of Object.entries(map)) {
    const isKnown =
      name === "time" ||
      (isFieldName(name) &&
        Object.hasOwn(fields, name) &&
        (unit === pulses || factorOf(unit, fieldOf(name, resource).unit) !== undefined));
    if (!isKnown)
      throw problem("wrong_input", {
        attributes: { [`field_map.${key}`]: ["no such field, or a unit that is not its own"] },
      });
  }
}

async function opened(ctx: Ctx, given: number): Promise<PayloadCodec> {
  const codec = await store.one(ctx.db, ctx.scope, await resolveOne(ctx, "codec", given));
  if (!codec) throw problem("not_found");
  return codec;
}

async function switchTo(ctx: Ctx, codec: PayloadCodec, isActive: boolean): Promise<PayloadCodec> {
  const id = await resolveOne(ctx, "codec", codec.id);
  await store.activate(ctx.db, ctx.scope, codec.model_id, isActive ? id : null);
  ctx.afterCommit(() => forgetActive(ctx, ctx.scope.companyId));
  return { ...codec, is_active: isActive };
}
