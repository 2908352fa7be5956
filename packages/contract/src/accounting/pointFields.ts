import { PointStandard } from "../metering/pointStandard.ts";
import { z } from "zod/mini";
import { Amount } from "../core/amounts.ts";
import { Id, Seconds, ShortText, NodeId } from "../core/values.ts";
import { TabDefinition } from "../metering/deviceModel.ts";

/** Bounds of what one company can keep about its accounting points. */
export const pointBounds = {
  points: 200_000,
  /** Devices, or intervals of one kind of term, of a point. */
  intervals: 500,
  events: 1000,
  amounts: 500,
  files: 20,
  fileBytes: 5 * 1024 * 1024,
  /** Of a picture: a browser unpacks four bytes for each. */
  filePixels: 50_000_000,
  /** All files of a company. */
  companyFileBytes: 2 * 1024 * 1024 * 1024,
  /** Characters of the reason for which a doubted reading counts. */
  reason: 500,
  /** Points of one request. */
  ids: 1000,
  /** How far ahead a change may be entered, seconds. */
  aheadSec: 366 * 86_400,
} as const;

/** Voltage levels of consumers (AP-014). */
export const voltageLevels = [
  { id: 1, title: { ru: "ВН", en: "HV", mn: "ӨХ" } },
  { id: 2, title: { ru: "СН1", en: "MV1", mn: "ДХ1" } },
  { id: 3, title: { ru: "СН2", en: "MV2", mn: "ДХ2" } },
  { id: 4, title: { ru: "НН", en: "LV", mn: "НХ" } },
] as const;

/** State of the device that measures a point now. */
export const pointStates = ["on_time", "silent", "never", "off", "no_device"] as const;
export type PointState = (typeof pointStates)[number];

export const pointSortFields = [
  "name",
  "title",
  "address",
  "resource_type_id",
  "device",
  "last_data_at",
  "created_at",
  "id",
] as const;

/** Terms of a point, each valid in an interval of time. */
export const pointTermKinds = [
  "ratio",
  "loss",
  "contract_power",
  "voltage_level",
  "consumer",
  "supplier",
  "current_transformer",
  "voltage_transformer",
  "standard",
] as const;

/** Terms that a form sets; transformers are tied. */
export const settableTermKinds = [
  "ratio",
  "loss",
  "contract_power",
  "voltage_level",
  "consumer",
  "supplier",
  "standard",
] as const satisfies readonly (typeof pointTermKinds)[number][];

export const pointEventKinds = [
  "installed",
  "replaced",
  "removed",
  "verified",
  "reset",
  "rollover",
  "ratio",
  "note",
] as const;

/** Events that a person adds; the others are recognised or come with a change of the point. */
export const enteredEventKinds = ["verified", "note"] as const;

export const Ratio = z.number().check(z.gt(0), z.lte(1_000_000));
export const LossShare = z.number().check(z.gte(0), z.lt(1));
export const ContractPower = z.number().check(z.gte(0), z.lte(100_000_000));
/** Readings of registers by field, in the unit of the device. */
export const RegisterReadings = z.record(
  z.string().check(z.maxLength(50)),
  z.number().check(z.gte(-1e15), z.lte(1e15)),
);

/** When a change begins to hold; absent: now. A moment of the past is allowed unless a closed period rests on it. */
export const Moment = z.optional(Seconds);
export const Note = z.optional(z.string().check(z.trim(), z.maxLength(1000)));

const Named = z.object({ _id: z.string(), name: z.string() });
const TiedTransformer = z.object({ id: Id, title: z.string(), ratio: z.number(), number: z.string() });

/** The device that measures a point now, and the register that is its main one. */
const CurrentDevice = z.object({
  id: Id,
  name: z.string(),
  deviceID: z.string(),
  model_id: z.int(),
  model_title: z.string(),
  field: z.string(),
  from: Seconds,
  last_data_at: z.nullable(Seconds),
  is_in_trash: z.boolean(),
  is_archived: z.boolean(),
});

const LastReading = z.object({
  field: z.string(),
  value: Amount.check(z.describe("as the device shows it, without the ratio")),
  ts: Seconds,
  status: z.string(),
  unit: z.string(),
});

/** An accounting point as it stands now. */
export const AccountingPoint = z.object({
  id: Id,
  title: z.string(),
  name: z.string(),
  city: z.string(),
  street: z.string(),
  house: z.string(),
  innerObject: z.string(),
  address: z.string().check(z.describe("city, street, house and inner object; a dash without a street")),
  address_short: z.string().check(z.describe("the same with a long street cut")),
  parent_id: z.nullable(z.string()).check(z.describe("node of the objects tree")),
  parent_name: z.nullable(z.string()),
  resource_type_id: z.int(),
  resource_title: z.string(),
  resource_title_en: z.string(),
  device_group_id: z.int(),
  unit: z.string(),
  timezone: z.string().check(z.describe("its days are those of this zone")),
  has_own_zone: z.boolean().check(z.describe("false: it is that of the company, and changes with it")),
  comment: z.string(),
  tabs: z.record(z.string(), TabDefinition),
  currentPoint: z.object({ resource_type_id: z.int() }),
  standard: z.nullable(PointStandard),
  device_id: z.nullable(Id),
  device: z.nullable(CurrentDevice),
  last_reading: z.nullable(LastReading),
  state: z.enum(pointStates),
  transformation_ratio: Amount.check(z.describe("valid now")),
  ratio_source: z.enum(["transformers", "point", "device", "none"]),
  loss_factor: z.nullable(z.number()).check(z.describe("share: 0.02 is 2 %")),
  consumer_id: z.nullable(z.string()),
  consumer: z.nullable(Named),
  supplier_id: z.nullable(z.string()),
  supplier: z.nullable(Named),
  voltage_level_id: z.nullable(z.int()),
  contract_power: z.nullable(z.number()).check(z.describe("kW")),
  current_transformer: z.nullable(TiedTransformer),
  voltage_transformer: z.nullable(TiedTransformer),
  created_at: Seconds,
});
export type AccountingPoint = z.infer<typeof AccountingPoint>;

const Part = z.optional(ShortText);

/** Fields of a point that a form sends; terms hold from a moment on, null ends them. */
export const pointInput = {
  title: Part,
  name: Part,
  city: Part,
  street: Part,
  house: Part,
  innerObject: Part,
  parent_id: z.optional(z.nullable(NodeId)),
  timezone: z
    .optional(z.nullable(z.string().check(z.maxLength(64))))
    .check(z.describe("null: that of the company; another than the present one becomes its own")),
  has_own_zone: z.optional(z.boolean()),
  comment: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
  standard: z.optional(z.nullable(PointStandard)),
  consumer_id: z.optional(z.nullable(NodeId)),
  supplier_id: z.optional(z.nullable(NodeId)),
  transformation_ratio: z.optional(z.nullable(Ratio)),
  loss_factor: z.optional(z.nullable(LossShare)),
  voltage_level_id: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(4)))),
  contract_power: z.optional(z.nullable(ContractPower)),
};

export const ResourceTypeOfPoint = z.int().check(z.gte(1), z.lte(9));
