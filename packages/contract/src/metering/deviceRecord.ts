import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { BoundedObject, Id, IdText, Seconds, ShortText } from "../core/values.ts";
import { deviceSettings } from "./deviceSettings.ts";
import { OpenedDevice } from "./devices.ts";

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, "");
/** A write-only text; an empty one removes the stored one. */
const Key = z
  .string()
  .check(z.maxLength(100), z.overwrite(withoutSpaces), z.regex(/^([0-9a-f]{32})?$/i, "key_form"));
const Secret = z.string().check(z.maxLength(64));
const daySec = 86_400;

/** Speeds of a line that cannot change it. */
export const baudRates = [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const;

/** What a virtual device may be made of. */
export const virtualBounds = { fields: 32, terms: 32, levels: 4 } as const;

const FieldKey = z.string().check(z.maxLength(100));
const isFew = (value: object): boolean => Object.keys(value).length <= virtualBounds.fields;
const thousandth = 1e-3;

/** A field of another device, times a coefficient. */
const VirtualTerm = z.object({
  device_id: Id,
  field: FieldKey,
  coefficient: z.number().check(
    z.gte(-1e6),
    z.lte(1e6),
    z.refine(
      (value) => value !== 0 && Math.abs(Math.round(value * 1e3) * thousandth - value) < 1e-9,
      "coefficient",
    ),
    z.describe("at most three decimals, not 0"),
  ),
});
export type VirtualTerm = z.infer<typeof VirtualTerm>;

/** Properties of a device that its form sets; others stay as they are. */
const DeviceProperties = z.object({
  service_params: z
    .optional(BoundedObject)
    .check(z.describe("texts of the service staff, free in name and form")),
  type_water_meter: z.optional(z.union([z.literal(0), z.literal(1)])).check(z.describe("0 cold, 1 hot")),
  averaging_pp: z
    .optional(z.int().check(z.gte(1), z.lte(1440)))
    .check(z.describe("minutes of an interval of the power profile, 30 by default")),
  min_value: z.optional(z.nullable(z.number())).check(z.describe("lower bound of the power profile")),
  max_value: z.optional(z.nullable(z.number())).check(z.describe("upper bound of the power profile")),
  login: z.optional(Secret),
  password: z.optional(Secret),
  echo: z.optional(z.boolean()).check(z.describe("the converter repeats what is sent")),
  fixed_baud: z
    .optional(z.nullable(z.literal([...baudRates])))
    .check(z.describe("speed of a line that cannot change it; null: the meter decides")),
  concat_device: z
    .optional(z.nullable(Id))
    .check(z.describe("device whose readings stand beside the own ones as further columns")),
  virtual_fields_map: z
    .optional(z.nullable(z.record(FieldKey, VirtualTerm).check(z.refine(isFew, "many"))))
    .check(z.describe("fields of a virtual device, each of one other field times a coefficient")),
  virtual_fields_map_multiple: z
    .optional(
      z.nullable(
        z
          .record(FieldKey, z.array(VirtualTerm).check(z.minLength(1), z.maxLength(virtualBounds.terms)))
          .check(z.refine(isFew, "many")),
      ),
    )
    .check(z.describe("fields of a virtual device, each the sum of several")),
});

/**
 * The fields of a device that users set. Of a whole record sent back, unchanged fields are no change, and
 * those that the server computes are left out.
 */
const deviceFields = {
  name: ShortText.check(z.minLength(1)),
  deviceID: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
  model_id: Id,
  place: z.optional(ShortText),
  interface_id: z.optional(z.int()).check(z.describe("one of the model; its first one by default")),
  inside_addr: z.optional(ShortText),
  gateway_id: z.optional(z.nullable(Id)),
  gatewayID: z
    .optional(z.nullable(z.string().check(z.trim(), z.maxLength(255))))
    .check(z.describe("identifier of the gateway, instead of gateway_id; null: none")),
  base_station_id: z.optional(z.nullable(Id)),
  device_group_id: z.optional(z.int()).check(z.describe("follows from the model: another one is refused")),
  device_type_id: z.optional(z.int()).check(z.describe("follows from the model: another one is refused")),
  resource_type_id: z
    .optional(z.int())
    .check(z.describe("type of accounting point; 0, a water meter without a kind, becomes 2, cold water")),
  deviceTimezone: z
    .optional(z.nullable(z.number()))
    .check(z.describe("hours; timezone_name takes precedence, null is the zone of the company")),
  timezone_name: z.optional(z.nullable(z.string().check(z.maxLength(60)))),
  report_period_update: deviceSettings.report_period_update,
  warning_report_period: z.optional(z.int().check(z.gte(60), z.lte(366 * daySec))),
  impulse_weight: deviceSettings.impulse_weight,
  starting_value: deviceSettings.starting_value,
  transformation_ratio: deviceSettings.transformation_ratio,
  login: z.optional(Secret).check(z.describe("of models with a login of their own")),
  password: z.optional(Secret).check(z.describe("write-only; empty: removed")),
  keys: z
    .optional(z.object({ encryption: z.optional(Key), authentication: z.optional(Key) }))
    .check(z.describe("32 hexadecimal digits each, write-only; empty: removed")),
  properties: z.optional(DeviceProperties),
  is_active: z.optional(z.boolean()),
};

export const NewDeviceInput = z.object(deviceFields);
export type NewDeviceInput = z.infer<typeof NewDeviceInput>;

export const DeviceEditInput = z.extend(z.partial(NewDeviceInput), {
  id: Id,
  ratio_from: z
    .optional(Seconds)
    .check(z.describe("from when a changed transformation_ratio is valid; absent: now")),
  version: z
    .optional(z.int())
    .check(z.describe("of the record as it was read: a change made since then is a conflict")),
});
export type DeviceEditInput = z.infer<typeof DeviceEditInput>;

/** Connection parameters of a device on its line. */
export const PollParams = z.strictObject({
  inside_addr: z.optional(ShortText),
  echo: z.optional(z.boolean()).check(z.describe("the converter repeats what is sent")),
  fixed_baud: z
    .optional(z.nullable(z.literal([...baudRates])))
    .check(z.describe("speed of a line that cannot change it; null: the meter decides")),
});
export type PollParams = z.infer<typeof PollParams>;

const reply = z.object({ metering_device: OpenedDevice });
const refusals = ["not_found", "wrong_input", "unknown_model", "identifier_taken", "demo_refused"] as const;

/** Creating and editing of metering devices. */
export const deviceRecord = {
  create: call({
    id: "device.create",
    method: "POST",
    path: "device/metering_device/create",
    right: "4:create|4:access_all",
    reach: "branch",
    summary: "Adds a metering device; secrets are stored and never answered",
    body: NewDeviceInput,
    reply,
    isOnce: true,
    problems: [...refusals, "device_limit_reached", "licence_expired"],
  }),
  edit: call({
    id: "device.edit",
    method: "POST",
    path: "device/metering_device/edit",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Changes the named fields of a metering device; the others stay",
    body: DeviceEditInput,
    reply,
    problems: [...refusals, "device_put_away", "conflict", "period_closed"],
  }),
  setConnectionParams: call({
    id: "device.setConnectionParams",
    method: "PATCH",
    path: "device/metering_devices/set_connection_params/:id",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Changes interface and connection parameters of a metering device",
    params: z.object({ id: IdText }),
    body: z.object({ interface_id: z.optional(z.int()), poll_params: z.optional(PollParams) }),
    reply,
    problems: ["not_found", "wrong_input", "device_put_away", "demo_refused"],
  }),
  uuid: call({
    id: "uuid.generate",
    method: "POST",
    path: "generate_uuid1",
    right: null,
    reach: "common",
    summary: "A time-based UUID, as identifier of a device without a factory number",
    reply: z.object({ uuid: z.string() }),
  }),
};
