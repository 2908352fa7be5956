import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { services } from "@metrum/contract/access";
import { problem, type ParsedOf } from "@metrum/contract/core";
import { fieldOf, resourceOfGroup, units, type FieldName } from "@metrum/vocabulary";
import { record, resolve, type Ctx } from "#core";
import { identitiesOf, type DeviceIdentity } from "#metering/devices";
import { isTrusted, latestReadings, statusOfValue, type LatestReading } from "#metering/messages";
import * as store from "../store.ts";
import type { ServiceKind } from "./kind.ts";

export const almatySuCode = "almaty_su";

/** Off unless METRUM_ALMATY_SU_DIR names the folder from which the receiver fetches its files. */
export const almatySu: ServiceKind = {
  isConfigured: (config) => config.almatySuDir !== undefined,
  checkSettings(given) {
    const { contract_number = "" } = given;
    if (typeof contract_number !== "string" || contract_number.length > 60)
      throw problem("wrong_input", { attributes: { settings: ["contract_number: text up to 60"] } });
    return { contract_number };
  },
};

/** Without a period: readings of this many last days. */
const usualDays = 35;
const mostDevices = 10_000;

/**
 * Writes the newest reading of each device, if it is in the period, as one CSV file. The format expected by
 * the receiver is not specified, so every column is named: contract, device, time, field, value, unit. Throws
 * service_not_configured, service_off, not_found.
 */
export async function exportToAlmatySu(
  ctx: Ctx,
  body: ParsedOf<typeof services.almatySuExport>["body"],
): Promise<{ file: string; rows: number }> {
  const folder = ctx.config.almatySuDir;
  if (folder === undefined) throw problem("service_not_configured");
  const service = await store.ofCompanyByCode(ctx.db, ctx.scope, almatySuCode);
  if (!service?.is_active) throw problem("service_off");
  const ids = body.device_ids && (await resolve(ctx, "device", body.device_ids));
  const devices = await identitiesOf(ctx.db, ctx.scope, { ids, limit: mostDevices });
  const readings = await latestReadings(
    ctx.db,
    devices.map(({ id }) => id),
  );
  const stop = body.stop_date ?? ctx.clock.now();
  const period = { start: body.start_date ?? stop - usualDays * 86_400, stop };
  const lines = devices.flatMap((device) => linesOf(device, readings.get(device.id), period));
  const file = fileName(ctx);
  const noted = { companyId: ctx.scope.companyId, serviceId: service.service_id };
  const { contract_number } = service.settings;
  const contract = typeof contract_number === "string" ? contract_number : "";
  await write(folder, file, [header, ...lines.map((line) => [contract, ...line])]).catch(
    async (error: unknown) => {
      await store.note(ctx.database.system, { ...noted, message: "export_failed", result: "failed" });
      throw error;
    },
  );
  const rows = lines.length;
  await store.note(ctx.db, { ...noted, message: "exported", params: { rows, file } });
  await record(ctx, {
    action: "service.export",
    subject: `service ${String(service.service_id)}`,
    after: { ...period, rows, file },
  });
  return { file, rows };
}

const header = ["contract_number", "device_id", "number", "name", "place", "time", "field", "value", "unit"];

function linesOf(
  device: DeviceIdentity,
  reading: LatestReading | undefined,
  { start, stop }: { readonly start: number; readonly stop: number },
): string[][] {
  if (!reading) return [];
  const resource = resourceOfGroup(device.device_group_id).key;
  return Object.entries(reading.values).flatMap(([name, value]) => {
    const at = reading.by_field?.[name]?.ts ?? reading.ts;
    // Untrusted values must not be billed, and an old value is not sent for the period.
    if (value === null || at < start || at > stop || !isTrusted(statusOfValue(reading, name))) return [];
    const { unit } = fieldOf(name as FieldName, resource);
    return [
      [
        String(device.id),
        device.deviceID,
        device.name,
        device.place,
        new Date(at * 1000).toISOString(),
        name,
        String(value),
        units[unit].en,
      ],
    ];
  });
}

/** The file name contains only company, time and random characters. */
function fileName({ scope, clock }: Pick<Ctx, "scope" | "clock">): string {
  const at = new Date(clock.nowMs()).toISOString().replaceAll(/[-:.]/g, "");
  return `almaty-su-${String(scope.companyId)}-${at}-${crypto.randomUUID().slice(0, 8)}.csv`;
}

/** Written atomically: a client polling the folder never sees a partial file. */
async function write(folder: string, file: string, rows: readonly (readonly string[])[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
  await writeFile(join(folder, `${file}.part`), text, { mode: 0o600 });
  await rename(join(folder, `${file}.part`), join(folder, file));
}

/** Text must not become a formula; a number stays one. */
function cell(text: string): string {
  const guarded = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
