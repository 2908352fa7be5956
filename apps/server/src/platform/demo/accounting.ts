import { branchesOf, createMeter, demoFeeders, type PlannedDevice } from "@metrum/simulator";
import {
  resourceByKey,
  resourceTypeOf,
  type AccountingPointId,
  type ConsumerId,
  type CompanyId,
  type DeviceId,
  type SupplierId,
  type TransformerId,
  type UserId,
} from "@metrum/vocabulary";
import { dayOf, offsetSec, startOfDay, type Db } from "#core";
import {
  addPoints,
  hasRegister,
  registerOfModel,
  type NewPoint,
  type NewTie,
} from "#accounting/accounting-points";
import { addBalanceGroup } from "#accounting/balances";
import { addParties, addTransformers } from "#accounting/parties";
import { meterOf, type SeededDevice } from "./catalogue.ts";
import { historyDays } from "./history.ts";
import { behindTransformers, contractSteps, isVacant } from "./planted.ts";
import { formerMeter } from "./putAway.ts";
import { placesByDevice, type Place } from "./store.ts";

/** A replacement: the old meter measured the point until it was removed, the new one from its installation on. */
export interface Replaced {
  readonly old: SeededDevice;
  readonly by: DeviceId;
  readonly removedAt: number;
  readonly installedAt: number;
}

const daysSinceReplacement = 30;

/** The replacement of the demonstration: behind the first feeder, on a morning a month ago. */
export function replacementOf(
  devices: readonly SeededDevice[],
  former: ReadonlyMap<string, DeviceId>,
  { now, zone }: { readonly now: number; readonly zone: string },
): Replaced | undefined {
  const [feeder] = demoFeeders;
  const behind = devices.filter(({ planned }) => planned.gateway === feeder?.gateway);
  const device = behind.find(({ planned }) => planned.insideAddr === "6");
  const id = former.get(formerMeter);
  if (!device || id === undefined) return undefined;
  const day = startOfDay(zone, dayOf(zone, now) - daysSinceReplacement);
  const planned = { ...device.planned, deviceID: formerMeter, start: 41_200 };
  const at = (hours: number, minutes: number) => day + hours * 3600 + minutes * 60;
  return { old: { id, planned }, by: device.id, removedAt: at(10, 40), installedAt: at(11, 20) };
}

interface Given {
  readonly db: Db;
  readonly scope: { readonly companyId: CompanyId; readonly userId: UserId; readonly timeZone: string };
  readonly devices: readonly SeededDevice[];
  readonly now: number;
  readonly replaced: Replaced | undefined;
}

const suppliers = ["Darkhan Electricity Networks", "Darkhan Heat and Water"] as const;
/** Low voltage (AP-014). */
const lowVoltage = 4;
const inputVoltage = 2;

/**
 * Accounting of the demonstration: a point for every device with a counter, with its consumer, supplier and terms
 * since the beginning of the history; transformers at one feeder; one meter replaced.
 */
export async function seedAccounting(given: Given): Promise<void> {
  const { db, scope, devices, now } = given;
  const measured = devices.filter(({ planned }) => hasRegister(planned.modelId));
  const places = await placesByDevice(db, scope.companyId);
  const names = [...new Set(measured.map(({ planned }) => consumerOf(planned)))];
  const parties = await addParties(db, scope.companyId, {
    consumers: names.map((name, at) => ({
      name,
      subject_type_id: 2,
      inn: String(5_063_000_000 + at * 7_919),
      number_of_contract: `D-${String(118 + at)}`,
      address: `Darkhan, ${name}`,
      registration_date: "2016-03-01",
      registration_number: String(9_011_000_000 + at * 104_729),
    })),
    suppliers: suppliers.map((name, at) => ({
      name,
      inn: String(2_608_004_000 + at),
      number_of_contract: `S-${String(at + 1)}`,
      email: `billing${String(at + 1)}@darkhan.example`,
    })),
  });
  const consumers = new Map(names.map((name, at) => [name, parties.consumers[at]]));
  const transformers = await seedTransformers(given);
  const from = startOfDay(scope.timeZone, dayOf(scope.timeZone, now) - historyDays);
  const points = await addPoints(
    db,
    scope,
    measured.map((device) =>
      pointOf(device, {
        ...given,
        from,
        place: places.get(device.id),
        consumer: consumers.get(consumerOf(device.planned)),
        suppliers: parties.suppliers,
        transformer: transformers.get(device.id)?.id,
        ratio: transformers.get(device.id)?.ratio ?? 1,
      }),
    ),
  );
  const pointByPlan = new Map(measured.map(({ planned }, at) => [planned, points[at]]));
  await seedBalances({ db, companyId: scope.companyId }, pointByPlan);
}

/** A balance of each feeder: its input against the meters behind it, with losses by experience. */
async function seedBalances(
  ctx: { readonly db: Db; readonly companyId: CompanyId },
  points: ReadonlyMap<PlannedDevice, AccountingPointId | undefined>,
): Promise<void> {
  for (const feeder of demoFeeders) {
    const { first, others } = branchesOf(feeder, [...points.keys()]);
    if (!first) continue;
    const member = (role: "in" | "out") => (planned: PlannedDevice) => {
      const point_id = points.get(planned);
      return point_id === undefined
        ? []
        : [{ role, point_id, coefficient: "1", from_day: null, to_day: null }];
    };
    const members = [...member("in")(first), ...others.flatMap(member("out"))];
    const [name = ""] = feeder.place.split(",");
    await addBalanceGroup(ctx, { ...balanceOf(name), members });
  }
}

const electricity = 3;
const balanceOf = (name: string) => ({
  name,
  resource_type_id: electricity,
  allowed_imbalance: 2,
  loss_rule: "percent" as const,
  loss_value: 2,
  comment: "",
});

/** The organisation that a place names, else the owners of a house. */
function consumerOf({ place }: PlannedDevice): string {
  const [first = ""] = place.split(",");
  const name = first.trim();
  if (name === "") return "Darkhan Workshop";
  return /\d$/.test(name) &&
    !/^(School|Kindergarten|City|Pump|Housing|Bus|Bakery|Boiler|TP|Heat|Water)/.test(name)
    ? `Owners' association, ${name}`
    : name;
}

/** Current transformers of the feeders that have them, and of the meter that measures without them for some days. */
async function seedTransformers({
  db,
  scope,
  devices,
}: Given): Promise<ReadonlyMap<DeviceId, { readonly id: TransformerId; readonly ratio: number }>> {
  const wanted = demoFeeders
    .filter(({ ratio }) => ratio !== 1)
    .flatMap((feeder) => {
      const byPlan = new Map(devices.map((device) => [device.planned, device.id]));
      const { first, others } = branchesOf(feeder, [...byPlan.keys()]);
      return [
        ...(first ? [{ id: byPlan.get(first), ratio: feeder.ratio }] : []),
        ...others.map((other) => ({ id: byPlan.get(other), ratio: feeder.branchRatio })),
      ];
    })
    .concat(
      devices
        .filter(({ planned }) => planned.deviceID === behindTransformers.deviceID)
        .map(({ id }) => ({ id, ratio: behindTransformers.ratio })),
    );
  const ids = await addTransformers(
    db,
    scope.companyId,
    wanted.map(({ ratio }, at) => ({
      title: `TTI-A ${String(ratio * 5)}/5`,
      kind: "current" as const,
      primary_value: ratio * 5,
      secondary_value: 5,
      accuracy_class: "0.5S",
      number: `T-${String(44_100 + at)}`,
      verified_at: "2022-06-14",
      verified_until: "2030-06-14",
    })),
  );
  return new Map(
    wanted.flatMap(({ id, ratio }, at) => {
      const transformer = ids[at];
      return id === undefined || transformer === undefined ? [] : [[id, { id: transformer, ratio }] as const];
    }),
  );
}

interface Seat extends Given {
  readonly from: number;
  readonly place: Place | undefined;
  readonly consumer: ConsumerId | undefined;
  readonly suppliers: readonly SupplierId[];
  readonly transformer: TransformerId | undefined;
  readonly ratio: number;
}

function pointOf({ id, planned }: SeededDevice, seat: Seat): NewPoint {
  const { from, replaced } = seat;
  return {
    columns: columnsOf(planned, seat),
    ties:
      id === replaced?.by
        ? replacedTies(planned, { ...seat, replaced })
        : [{ deviceId: id, modelId: planned.modelId, from, to: null }],
    terms: termsOf(planned, seat),
  };
}

function columnsOf({ modelId, place: name }: PlannedDevice, { place, scope }: Seat): NewPoint["columns"] {
  const resource = resourceByKey[meterOf(modelId).resource];
  const address = place?.address;
  return {
    object_id: place?.object_id ?? null,
    name,
    resource_type_id: resourceTypeOf(resource, / hot/.test(name) ? 1 : 0) ?? 3,
    city: "Darkhan",
    street: address?.street ?? address?.city_district ?? "",
    house: address?.house ?? "",
    inner_object: name.split(",").slice(1).join(",").trim(),
    timezone: scope.timeZone,
    has_own_zone: false,
    comment: "",
  };
}

/** Evening peaks of the park reach four times the mean power. */
const contractShare = 5;

/** Those without a value are left out. */
function termsOf(planned: PlannedDevice, seat: Seat): NewPoint["terms"] {
  const { from, consumer, transformer, ratio, suppliers: known } = seat;
  const isPower = meterOf(planned.modelId).resource === "electricity";
  const contract = Math.ceil(planned.meanPerHour * contractShare) * ratio;
  const moment = { now: seat.now, zone: seat.scope.timeZone };
  const contracts = contractSteps(planned, contract, { from, ...moment });
  const terms: readonly (Omit<NewPoint["terms"][number], "from"> | false)[] = [
    consumer !== undefined && !isVacant(planned) && { kind: "consumer", consumer_id: consumer },
    known.length > 0 &&
      !isVacant(planned) && { kind: "supplier", supplier_id: known[isPower ? 0 : 1] ?? null },
    transformer !== undefined && { kind: "current_transformer", transformer_id: transformer },
    isPower && { kind: "voltage_level", voltage_level_id: planned.branches ? inputVoltage : lowVoltage },
    planned.place.includes(" flat ") && { kind: "standard", standard: { month: 4.5 } },
  ];
  return [
    ...terms.flatMap((term) => (term === false ? [] : [{ ...term, from }])),
    ...(isPower ? contracts.map((step) => ({ kind: "contract_power" as const, ...step })) : []),
  ];
}

/** Two ties with the readings of both meters at the replacement; the time between them is not counted. */
function replacedTies(
  planned: PlannedDevice,
  { replaced, from, scope }: Seat & { readonly replaced: Replaced },
): NewTie[] {
  const { old, removedAt, installedAt, by } = replaced;
  const utcOffsetSec = offsetSec(scope.timeZone, removedAt);
  const read = (device: PlannedDevice, at: number) => {
    const field = registerOfModel(device.modelId);
    return { [field]: Number(createMeter(device, utcOffsetSec).stateAt(at)(field).toFixed(2)) };
  };
  return [
    {
      deviceId: old.id,
      modelId: old.planned.modelId,
      from,
      to: removedAt,
      closing: read(old.planned, removedAt),
    },
    {
      deviceId: by,
      modelId: planned.modelId,
      from: installedAt,
      to: null,
      opening: read(planned, installedAt),
      act: "Act 118/26",
    },
  ];
}
