import { modelById } from "@metrum/catalogue";
import { history, type PlannedDevice } from "@metrum/simulator";
import {
  fields,
  isFieldName,
  resourceByKey,
  sources,
  statuses,
  type FieldName,
  type ResourceKey,
} from "@metrum/vocabulary";
import type { Given, Value } from "#accounting/validation";
import { counterRange } from "#metering/messages";
import { samplesOf } from "../metering/messages/growth/load.ts";
import { countersOf } from "../metering/messages/ingest/metadataCache.ts";

const offsetSec = 8 * 3600;
export const parkZone = "Asia/Ulaanbaatar";

/** A meter of the simulated park with its resource; undefined for sensors. */
export function parkMeter(device: PlannedDevice): { resource: ResourceKey; field: FieldName } | undefined {
  const model = modelById(device.modelId);
  if (model?.kind !== "meter") return undefined;
  const field = resourceByKey[model.resource].mainField;
  if (field === null) return undefined;
  return { resource: model.resource, field };
}

/** Hourly readings of a meter of the park as the rules see them, without transformers and siblings. */
export function parkValues(
  device: PlannedDevice,
  span: { readonly from: number; readonly to: number; readonly stepSec: number },
): Given | undefined {
  const meter = parkMeter(device);
  if (!meter) return undefined;
  const levels = new Map<FieldName, Value[]>();
  for (const { msgType, at, values } of history(device, {
    ...span,
    utcOffsetSec: offsetSec,
    msgTypes: [1],
  })) {
    if (at === null) continue;
    for (const [field, value] of Object.entries(values) as [FieldName, number | null][]) {
      if (value === null) continue;
      const all = levels.get(field) ?? [];
      if (all.length === 0) levels.set(field, all);
      all.push({
        ts: at,
        msgType,
        field,
        value,
        status: statuses.measured.id,
        source: sources.polled,
        receivedAt: at + 1,
        meterAt: at + (all.length % 5),
      });
    }
  }
  const field = levels.has(meter.field)
    ? meter.field
    : [...levels.keys()].find((name) => isFieldName(name) && fields[name].showsGrowth);
  if (field === undefined) return undefined;
  const counters = countersOf({
    model_id: device.modelId,
    impulse_weight: device.impulseWeight,
    starting_value: device.startingValue,
  });
  return {
    resource: meter.resource,
    zone: parkZone,
    now: span.to,
    field,
    span,
    ratio: 1,
    siblings: [],
    known: [],
    rangeOf: (name) => counterRange(counters, name, (until) => samplesOf(levels.get(name) ?? [], until)),
    levels,
    clock: (levels.get(field) ?? []).map(({ ts, meterAt }) => ({ ts, offset: (meterAt ?? ts) - ts })),
  };
}
