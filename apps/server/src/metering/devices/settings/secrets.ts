import { ProtocolError, type DeviceAddress, type Reservation } from "@metrum/protocols/core";
import type { Database, Db, SecretBox, Services } from "#core";
import { putSealed, removeSealed, takeNumbers, type SecretName } from "./secretStore.ts";
import { dropPlainPassword, plainPasswords } from "../store.ts";

/** Authenticated with the secret, so that a secret copied into another row does not open there. */
const purposeOf = (deviceId: number, name: SecretName): string => `device_secret:${String(deviceId)}:${name}`;

/** Stores a secret of a device that came through `resolve`; an empty text removes it. */
export async function putDeviceSecret(
  ctx: { readonly db: Db; readonly secretBox: SecretBox },
  secret: { readonly deviceId: number; readonly name: SecretName; readonly text: string },
): Promise<void> {
  const { deviceId, name, text } = secret;
  if (text === "") await removeSealed(ctx.db, deviceId, name);
  else await putSealed(ctx.db, { deviceId, name, sealed: sealedBy(ctx.secretBox, secret) });
}

const sealedBy = (
  box: SecretBox,
  { deviceId, name, text }: { deviceId: number; name: SecretName; text: string },
): Buffer => box.seal(text, purposeOf(deviceId, name));

/** Secrets of one device in the form a driver takes. */
export type DeviceSecrets = Pick<DeviceAddress, "password" | "keys">;

/**
 * Unseals the result of `sealedSecrets`. Errors: Error when sealed with another key file, or for another
 * device.
 */
export function openSecrets(
  secretBox: SecretBox,
  deviceId: number,
  sealed: Readonly<Partial<Record<SecretName, string>>>,
): DeviceSecrets {
  const open = (name: SecretName): string | undefined => {
    const text = sealed[name];
    return text === undefined
      ? undefined
      : secretBox.open(Buffer.from(text, "base64"), purposeOf(deviceId, name));
  };
  const password = open("password");
  const encryption = open("encryption");
  const authentication = open("authentication");
  const keys = {
    ...(encryption === undefined ? {} : { encryption }),
    ...(authentication === undefined ? {} : { authentication }),
  };
  return {
    ...(password === undefined ? {} : { password }),
    ...(Object.keys(keys).length === 0 ? {} : { keys }),
  };
}

const movedAtOnce = 500;

/**
 * Earlier versions stored passwords in the properties of a device. Seals and moves them; locked ones are
 * skipped until the next start and are read from their old place. Returns how many were moved.
 */
export async function sealPlainPasswords({
  database,
  secretBox,
}: Pick<Services, "database" | "secretBox">): Promise<number> {
  for (let moved = 0; ;) {
    const batch = await database.system.transaction().execute((db) => moveBatch(db, secretBox));
    moved += batch;
    if (batch < movedAtOnce) return moved;
  }
}

async function moveBatch(db: Db, secretBox: SecretBox): Promise<number> {
  const rows = await plainPasswords(db, movedAtOnce);
  for (const { id, password } of rows) {
    if (password !== "")
      await putDeviceSecret({ db, secretBox }, { deviceId: id, name: "password", text: password });
    await dropPlainPassword(db, id);
  }
  return rows.length;
}

/**
 * Reserves `count` frame counters never used with this device; returns the first. Committed when this
 * resolves, so that a crash skips numbers and repeats none. Errors: ProtocolError "refused" when the counter
 * range is used up.
 */
export async function reserveNumbers(
  { system }: Pick<Database, "system">,
  deviceId: number,
  { counter, atLeast, count }: Reservation,
): Promise<number> {
  const first = await takeNumbers(system, { deviceId, counter, atLeast, count });
  if (first === undefined) throw new ProtocolError("refused", `the numbers of "${counter}" are used up`);
  return first;
}
