import type { DeviceSettings } from "@metrum/contract/metering";
import { audit, type Db, type SecretBox } from "#core";
import { notedSettings, putSettings } from "./settings.ts";
import type { NumberedDevice } from "./numberedStore.ts";

/**
 * Configures a device, recorded in the log of its company; a terminal command has no session. Secrets are
 * recorded as set or removed.
 */
export async function putNumbered(
  ctx: { readonly db: Db; readonly secretBox: SecretBox },
  device: NumberedDevice,
  given: DeviceSettings,
): Promise<void> {
  await putSettings(ctx, device.id, given);
  const { impulse_weight, starting_value, transformation_ratio, report_period_update } = device;
  const before: Record<string, unknown> = {
    impulse_weight,
    starting_value,
    transformation_ratio,
    report_period_update,
  };
  await audit(ctx.db, {
    companyId: device.company_id,
    address: "",
    action: "device.settings",
    subject: `device ${String(device.id)}`,
    before: Object.fromEntries(Object.entries(before).filter(([name]) => name in given)),
    after: notedSettings(given),
  });
}
