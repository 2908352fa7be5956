import type { accountingPoints, AccountingPoint } from "@metrum/contract/accounting";
import { isSameContent, type InputOf } from "@metrum/contract/core";
import type { Picked } from "#ui/picker";

type Created = NonNullable<InputOf<typeof accountingPoints.create>["body"]>;
type Updated = NonNullable<InputOf<typeof accountingPoints.update>["body"]>;

interface Parent {
  readonly _id: string;
  readonly name: string;
}

const picked = (id: string | null, title: string | null | undefined): Picked | null =>
  id === null ? null : { id, title: title ?? id };

const tied = (transformer: AccountingPoint["current_transformer"]): Picked | null =>
  transformer && { id: String(transformer.id), title: transformer.title };

export interface PointValues {
  readonly name: string;
  readonly resource_type_id: string;
  readonly parent: Picked | null;
  readonly city: string;
  readonly street: string;
  readonly house: string;
  readonly innerObject: string;
  readonly timezone: string;
  readonly has_own_zone: boolean;
  readonly comment: string;
  readonly consumer: Picked | null;
  readonly supplier: Picked | null;
  readonly voltage_level_id: string;
  readonly contract_power: number | null;
  /** Percent. */
  readonly loss: number | null;
  readonly ratio: number | null;
  readonly current_transformer: Picked | null;
  readonly voltage_transformer: Picked | null;
  readonly day: number | null;
  readonly month: number | null;
  readonly hour: number | null;
  /** Of a new point. */
  readonly device: Picked | null;
  readonly valid_from: number | null;
  readonly note: string;
}

/** Electricity is the most common resource. */
const usualType = "3";

/** Stored values of the form, or those of a new point at a node. */
export function valuesOf(point: AccountingPoint | null, parent: Parent | null, zone: string): PointValues {
  return point === null ? newValues(parent, zone) : { ...newValues(null, zone), ...storedValues(point) };
}

const newValues = (parent: Parent | null, timezone: string): PointValues => ({
  name: "",
  resource_type_id: usualType,
  parent: picked(parent?._id ?? null, parent?.name),
  city: "",
  street: "",
  house: "",
  innerObject: "",
  timezone,
  has_own_zone: false,
  comment: "",
  consumer: null,
  supplier: null,
  voltage_level_id: "",
  contract_power: null,
  loss: null,
  ratio: null,
  current_transformer: null,
  voltage_transformer: null,
  day: null,
  month: null,
  hour: null,
  device: null,
  valid_from: null,
  note: "",
});

function storedValues(point: AccountingPoint): Partial<PointValues> {
  const { name, city, street, house, innerObject, timezone, comment, contract_power, standard } = point;
  const { day = null, month = null, hour = null } = standard ?? {};
  return {
    ...{ name, city, street, house, innerObject, timezone, comment, contract_power, day, month, hour },
    has_own_zone: point.has_own_zone,
    resource_type_id: String(point.resource_type_id),
    parent: picked(point.parent_id, point.parent_name),
    consumer: picked(point.consumer_id, point.consumer?.name),
    supplier: picked(point.supplier_id, point.supplier?.name),
    voltage_level_id: point.voltage_level_id === null ? "" : String(point.voltage_level_id),
    loss: point.loss_factor === null ? null : asPercent(point.loss_factor),
    ratio: point.ratio_source === "point" ? point.transformation_ratio : null,
    current_transformer: tied(point.current_transformer),
    voltage_transformer: tied(point.voltage_transformer),
  };
}

const decimals = 8;
const asPercent = (share: number) => Number((share * 100).toFixed(decimals));
const asShare = (percent: number | null) =>
  percent === null ? null : Number((percent / 100).toFixed(decimals));

/** Fields by the names of the call. */
function fieldsOf(values: PointValues) {
  const { day, month, hour } = values;
  const hasStandard = day !== null || month !== null || hour !== null;
  return {
    name: values.name,
    city: values.city,
    street: values.street,
    house: values.house,
    innerObject: values.innerObject,
    parent_id: values.parent?.id ?? null,
    timezone: values.has_own_zone ? values.timezone : null,
    has_own_zone: values.has_own_zone,
    comment: values.comment,
    consumer_id: values.consumer?.id ?? null,
    supplier_id: values.supplier?.id ?? null,
    voltage_level_id: values.voltage_level_id === "" ? null : Number(values.voltage_level_id),
    contract_power: values.contract_power,
    loss_factor: asShare(values.loss),
    transformation_ratio: values.ratio,
    standard: hasStandard ? { day, month, hour } : null,
    resource_type_id: Number(values.resource_type_id),
  };
}

const fromOf = ({ valid_from }: PointValues) => (valid_from === null ? {} : { valid_from });

export function createInput(values: PointValues): Created {
  const { resource_type_id, ...fields } = fieldsOf(values);
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== ""),
  );
  return {
    ...given,
    resource_type_id,
    ...(values.device === null ? {} : { device_id: Number(values.device.id) }),
    ...fromOf(values),
  };
}

/** Only what was changed: a term that is sent begins anew. */
export function updateInput(id: number, values: PointValues, stored: PointValues): Updated {
  const before = fieldsOf(stored);
  const changed = Object.entries(fieldsOf(values)).filter(
    ([name, value]) => !isSameContent(value, Reflect.get(before, name)),
  );
  return {
    ...Object.fromEntries(changed),
    id,
    ...fromOf(values),
    ...(values.note === "" ? {} : { note: values.note }),
  };
}

/** Transformers to tie and untie, after the point itself was saved. */
export function transformerChanges(values: PointValues, stored: PointValues) {
  return (["current_transformer", "voltage_transformer"] as const).flatMap((name) => {
    const [was, is] = [stored[name], values[name]];
    return was?.id === is?.id ? [] : [{ was, is }];
  });
}
