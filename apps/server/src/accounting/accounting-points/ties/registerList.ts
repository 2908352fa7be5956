import * as store from "../records/index.ts";
import type { pointDevices } from "@metrum/contract/accounting";
import { problem, type ReplyOf } from "@metrum/contract/core";
import { fieldOf, units, type FieldName } from "@metrum/vocabulary";
import { resolveOne, type Ctx } from "#core";
import { modelOf } from "#metering/models";
import { countersOf, mainRegister } from "../records/index.ts";
import { valuesAt } from "./load.ts";

type Registers = ReplyOf<typeof pointDevices.registers>;

/** The counters of a device with their last readings and the points that they measure. Problem: not_found. */
export async function registersOf(
  ctx: Ctx,
  given: { readonly accounting_point_id: number; readonly device_id: number },
): Promise<Registers> {
  await resolveOne(ctx, "accountingPoint", given.accounting_point_id);
  const deviceId = await resolveOne(ctx, "device", given.device_id);
  const device = (await store.lockTied(ctx.db, ctx.scope, [deviceId])).get(deviceId);
  if (!device) throw problem("not_found");
  const model = modelOf(device.model_id);
  const names = countersOf(model);
  const now = ctx.clock.now();
  const values = await valuesAt(ctx, { deviceId, names, at: now });
  const used = await store.registersInUse(ctx.db, { deviceId, now });
  const { language, scope } = ctx;
  const shown = (name: FieldName) => {
    const { title, unit } = fieldOf(name, model.resource);
    const last = values.get(name);
    return {
      field: name,
      title: title.ru,
      title_en: title.en,
      unit: units[unit][language],
      last_value: last?.value ?? null,
      last_at: last?.ts ?? null,
      accounting_point_id: scope.onlyTiedDevices ? null : (used.get(name) ?? null),
    };
  };
  return { main: mainRegister(model) ?? null, registers: names.map(shown) };
}
