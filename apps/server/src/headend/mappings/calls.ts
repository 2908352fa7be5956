import { fieldFault, problem } from "@metrum/contract/core";
import { mappings as table, mostMappings, type MappingDefinition } from "@metrum/contract/headend";
import { ProtocolError } from "@metrum/protocols/core";
import { isFieldName } from "@metrum/vocabulary";
import { companyPrefix } from "#headend/channels";
import { record, serve, withMessage, type Api, type Ctx } from "#core";
import { forgetMappings } from "./find.ts";
import { matchTopic, readMapped } from "./read.ts";
import { mappingsOf, putMapping, removeMapping } from "./store.ts";

export function serveMappings(api: Api): void {
  serve(api, table, {
    list: async (_, { db, scope }) => ({
      prefix: companyPrefix(scope.companyId),
      mappings: [...(await mappingsOf(db, scope.companyId))],
    }),
    async save({ body }, ctx) {
      refuseWrong(body.definition);
      const { companyId } = ctx.scope;
      const known = await mappingsOf(ctx.db, companyId);
      const isNew = known.every(({ definition }) => definition.topic !== body.definition.topic);
      if (isNew && known.length >= mostMappings)
        throw problem("mapping_limit", { params: { max: mostMappings } });
      const mapping = await putMapping(ctx.db, { ...body, is_active: body.is_active ?? true, companyId });
      if (!mapping) throw new Error("the mapping was not written");
      await record(ctx, { action: "mqttMapping.save", subject: mapping.name, after: mapping });
      forgetAfter(ctx);
      return withMessage({ mapping }, "mapping_saved");
    },
    async remove({ body }, ctx) {
      if (!(await removeMapping(ctx.db, ctx.scope.companyId, body.topic))) throw problem("not_found");
      await record(ctx, { action: "mqttMapping.delete", subject: body.topic });
      forgetAfter(ctx);
      return withMessage({}, "mapping_removed");
    },
    test({ body }) {
      refuseWrong(body.definition);
      return tried(body.definition, body.topic, body.payload);
    },
  });
}

const forgetAfter = (ctx: Ctx): void => ctx.afterCommit(() => forgetMappings(ctx, ctx.scope.companyId));

/** Problem: wrong_input that names the field. */
function refuseWrong({ topic, device_path, values }: MappingDefinition): void {
  const unknown = values.filter(({ field }) => !isFieldName(field)).map(({ field }) => field);
  if (unknown.length > 0)
    throw problem("wrong_input", {
      attributes: { "definition.values": unknown.map((name) => fieldFault("value_field", { name })) },
    });
  const places = topic.split("{device}").length - 1;
  if (places > 1 || (places === 0) === (device_path === undefined))
    throw problem("wrong_input", {
      attributes: { "definition.topic": ["device_once"] },
    });
}

function tried(definition: MappingDefinition, topic: string, payload: string) {
  const nothing = { device: null, time: null, values: {}, detail: "" };
  if (matchTopic(definition.topic, topic) === undefined) return { ...nothing, error: "other_topic" as const };
  try {
    const { networkId, at, reading } = readMapped(definition, topic, new TextEncoder().encode(payload));
    const values = Object.fromEntries(
      Object.entries(reading.values).map(([name, value]) => [name, value ?? 0]),
    );
    return { device: networkId, time: at, values, error: null, detail: "" };
  } catch (error) {
    if (error instanceof ProtocolError)
      return { ...nothing, error: "unreadable" as const, detail: error.message };
    throw error;
  }
}
