import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, Nothing, ShortText } from "../core/values.ts";

/** Maximum mappings of a company, and values of one. */
export const mostMappings = 50;
const mostValues = 100;

const Path = z.string().check(z.maxLength(200), z.regex(/^[^.[\]]+(\.[^.[\]]+|\[\d{1,4}\])*$/, "path"));

/** Path of a value in a message, its field and its factor. */
const MappedValue = z.object({
  path: Path,
  field: ShortText,
  factor: z.optional(z.number()),
});

export const timeFormats = ["seconds", "milliseconds", "iso"] as const;

/** Why a message was not read: its topic does not match the definition, or a path is missing. */
export const mappingFaults = ["other_topic", "unreadable"] as const;

export const MappingDefinition = z.object({
  topic: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(200),
      z.regex(/^[^#+]*(\+[^#+]*)*(\/#)?$/, "topic"),
      z.describe(
        "without the prefix of the company; {device} is the level that identifies the device, + any other level",
      ),
    ),
  device_path: z
    .optional(Path)
    .check(z.describe("path of the device identifier in the message, if the topic does not contain it")),
  time: z.optional(z.object({ path: Path, format: z.enum(timeFormats) })),
  values: z.array(MappedValue).check(z.minLength(1), z.maxLength(mostValues)),
});
export type MappingDefinition = z.infer<typeof MappingDefinition>;

export const MqttMapping = z.object({
  id: Id,
  name: ShortText,
  is_active: z.boolean(),
  definition: MappingDefinition,
});
export type MqttMapping = z.infer<typeof MqttMapping>;

/** Mappings for messages of a company's own publishers. */
export const mappings = {
  list: call({
    id: "mqttMapping.list",
    isOwn: true,
    method: "GET",
    path: "company/mqtt_mappings",
    right: "admin",
    reach: "company",
    summary: "Mappings of MQTT messages to fields, with the topic prefix of the company",
    reply: z.object({ prefix: z.string(), mappings: z.array(MqttMapping) }),
  }),
  save: call({
    id: "mqttMapping.save",
    isOwn: true,
    method: "POST",
    path: "company/mqtt_mapping/save",
    right: "admin",
    reach: "company",
    summary: "Creates a mapping, or changes that of the same topic",
    body: z.object({
      name: ShortText.check(z.minLength(1)),
      is_active: z.optional(z.boolean()),
      definition: MappingDefinition,
    }),
    reply: z.object({ mapping: MqttMapping }),
    problems: ["mapping_limit", "demo_refused"],
  }),
  remove: call({
    id: "mqttMapping.delete",
    isOwn: true,
    method: "POST",
    path: "company/mqtt_mapping/delete",
    right: "admin",
    reach: "company",
    summary: "Deletes the mapping of a topic",
    body: z.object({ topic: ShortText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  test: call({
    id: "mqttMapping.test",
    isOwn: true,
    method: "POST",
    path: "company/mqtt_mapping/test",
    right: "admin",
    reach: "company",
    summary: "Applies a definition to a message; nothing is stored",
    body: z.object({
      definition: MappingDefinition,
      topic: ShortText,
      payload: z.string().check(z.maxLength(10_000)),
    }),
    reply: z.object({
      device: z.nullable(z.string()),
      time: z.nullable(z.int()),
      values: z.record(z.string(), z.number()),
      error: z.nullable(z.enum(mappingFaults)),
      detail: z.string().check(z.describe("what could not be decoded, in English; may be empty")),
    }),
  }),
};
