import { toHex, type Driver, type RecordFormat, type RecordFormats } from "@metrum/protocols/core";
import { signatureOf, splitHeads } from "@metrum/protocols/wmbus";
import { sql } from "kysely";
import type { Db, Services } from "#core";

/** A meter has a handful of layouts; of more only the newest are kept. */
const mostFormats = 8;

/** Layouts that a device has sent in full frames, and those learnt from the present telegram. */
export interface KnownFormats extends RecordFormats {
  readonly learned: readonly RecordFormat[];
}

/** Whether devices of this driver may omit the layout from their telegrams. */
export const sendsCompact = ({ protocol }: Driver): boolean => protocol === "wmbus";

/**
 * Layouts of one device by signature, for its driver. `keepFormats` stores what the driver learns, if it is
 * new. Rows: `mostFormats` at most, by primary key.
 */
export async function knownFormats(db: Db, deviceId: number): Promise<KnownFormats> {
  const { rows } = await sql<{ signature: number; heads: Buffer }>`
    select signature, heads from record_format where device_id = ${deviceId}`.execute(db);
  const formats = new Map(rows.map(({ signature, heads }) => [signature, heads] as const));
  const learned: RecordFormat[] = [];
  return {
    learned,
    find: (signature) => {
      const heads = formats.get(signature);
      return heads && splitHeads(heads);
    },
    learn: (format) => {
      const signature = signatureOf(format);
      const heads = headsOf(format);
      if (heads.length < 2 || formats.get(signature)?.equals(heads)) return;
      formats.set(signature, heads);
      learned.push(format);
    },
  };
}

const headsOf = (format: RecordFormat): Buffer => Buffer.concat(format);

/**
 * Stores new layouts of a device. The oldest are deleted beyond `mostFormats`, so that a sender of invented
 * layouts fills only its own few rows; they are deleted with the device. A device deleted meanwhile stores
 * none.
 */
export async function keepFormats(
  { database, clock }: Pick<Services, "database" | "clock">,
  deviceId: number,
  { learned }: KnownFormats,
): Promise<void> {
  if (learned.length === 0) return;
  await database.system.transaction().execute(async (db) => {
    for (const format of learned)
      await sql`
        insert into record_format (device_id, signature, heads, learned_at)
        select id, ${signatureOf(format)}, decode(${toHex(headsOf(format))}, 'hex'), ${clock.now()}
        from device where id = ${deviceId}
        on conflict (device_id, signature) do update set heads = excluded.heads, learned_at = excluded.learned_at`.execute(
        db,
      );
    await sql`
      delete from record_format where device_id = ${deviceId} and signature not in (
        select signature from record_format where device_id = ${deviceId}
        order by learned_at desc, signature limit ${mostFormats})`.execute(db);
  });
}
