import type { MeterModel } from "@metrum/catalogue";
import type { FieldFaultCode } from "@metrum/contract/core";
import { modelSettings, type DeviceSettings, type ModelSetting } from "@metrum/contract/metering";
import { secretKinds, type DeviceId, type SecretKind } from "@metrum/vocabulary";
import type { Db, SecretBox } from "#core";
import { settingsOfModel } from "#metering/models";
import { putDeviceSecret } from "./secrets.ts";
import { changeDevice } from "../store.ts";

/** Settings, without secrets. */
type PlainSettings = Partial<Record<ModelSetting | "report_period_update", number>>;

/** Path of a secret in the input of a call. */
const pathOf = (kind: SecretKind): string => (kind === "password" ? kind : `keys.${kind}`);

const secretOf = ({ password, keys }: DeviceSettings, kind: SecretKind): string | undefined =>
  kind === "password" ? password : keys?.[kind];

/**
 * Faults of the settings for a device of this model, by the path of the field; empty if valid. An empty
 * secret, which removes it, is refused only if the model has no such secret.
 */
export function wrongSettings(model: MeterModel, given: DeviceSettings): Record<string, FieldFaultCode[]> {
  const known: ReadonlySet<string> = new Set(settingsOfModel(model));
  const faults = modelSettings
    .filter((name) => given[name] !== undefined && !known.has(name))
    .map((name): [string, FieldFaultCode[]] => [name, ["not_of_model"]]);
  for (const kind of secretKinds) {
    const text = secretOf(given, kind);
    const form = formOf(model, kind);
    if (text === undefined) continue;
    if (form === undefined) faults.push([pathOf(kind), ["not_of_model"]]);
    else if (text !== "" && !form.test(text))
      faults.push([pathOf(kind), [kind === "password" ? "password_form" : "key_form"]]);
  }
  return Object.fromEntries(faults);
}

/** A model with its own login has a password of any form. */
const formOf = ({ driver, hasLogin }: MeterModel, kind: SecretKind): RegExp | undefined =>
  kind === "password" && hasLogin ? /./ : driver.secrets?.[kind];

const plainOf = (given: DeviceSettings): PlainSettings =>
  Object.fromEntries(
    [...modelSettings, "report_period_update" as const].flatMap((name) =>
      given[name] === undefined ? [] : [[name, given[name]]],
    ),
  );

/**
 * Configures a device that came through `resolve`, was just created, or is unscoped. Absent settings stay; an
 * empty secret is removed. A device counts as silent after three of its own periods at the earliest.
 */
export async function putSettings(
  ctx: { readonly db: Db; readonly secretBox: SecretBox },
  id: DeviceId,
  given: DeviceSettings,
): Promise<void> {
  const plain = plainOf(given);
  const period = plain.report_period_update;
  if (Object.keys(plain).length > 0)
    await changeDevice(ctx.db, id, { ...plain, silentAfterSec: period && period * 3 });
  await putSecrets(ctx, id, given);
}

/** Stores the given secrets of such a device; an empty one is removed. */
export async function putSecrets(
  ctx: { readonly db: Db; readonly secretBox: SecretBox },
  id: DeviceId,
  given: DeviceSettings,
): Promise<void> {
  for (const kind of secretKinds) {
    const text = secretOf(given, kind);
    if (text !== undefined) await putDeviceSecret(ctx, { deviceId: id, name: kind, text });
  }
}

/** Settings for a log: of a secret only that it was set or removed. */
export function notedSettings<Given extends DeviceSettings>({ password, keys, ...rest }: Given) {
  const noted = (text: string | undefined, name: string) =>
    text === undefined ? {} : { [name]: text === "" ? "removed" : "set" };
  const notedKeys = {
    ...noted(keys?.encryption, "encryption"),
    ...noted(keys?.authentication, "authentication"),
  };
  return { ...rest, ...noted(password, "password"), ...(keys === undefined ? {} : { keys: notedKeys }) };
}
