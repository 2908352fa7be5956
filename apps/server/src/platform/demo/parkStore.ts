import type { CompanyId } from "@metrum/vocabulary";
import type { MixedOptions } from "@metrum/simulator";
import { sql } from "kysely";
import { forget, remember, type Db } from "#core";

/** A park that staff have started; its number is part of the numbers of its devices. */
export interface KnownPark {
  readonly id: number;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly devices: number;
  readonly createdAt: number;
}

/** Maximum number of parks of an installation; number 0 is for `npm run simulate`. */
const parkIds = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const firstPort = 31_000;
const portsEach = 200;
const seed = 1;
/** Lock key shared by all processes: numbers of parks are assigned one by one. */
const parkLock = 7_301_021;

const keyOf = (id: number): string => `park.${String(id)}`;

/** Composition of the park: the same for registering, running and removing it. */
export const optionsOf = ({ id, devices }: Pick<KnownPark, "id" | "devices">): MixedOptions => ({
  count: devices,
  park: id,
  seed,
  firstPort: firstPort + id * portsEach,
  hasRadio: false,
});

/** The parks of the installation, by number. Rows: ten at most. */
export async function knownParks(system: Db): Promise<KnownPark[]> {
  const { rows } = await sql<KnownPark>`
    select substring(i.key from 6)::int as id, c.id as "companyId", c.name as "companyName",
      (i.value ->> 'devices')::int as devices, extract(epoch from i.at)::bigint as "createdAt"
    from installation i join company c on c.id = (i.value ->> 'companyId')::int
    where i.key like 'park.%' order by 1`.execute(system);
  return rows;
}

/** Assigns a number to a park; undefined when all are in use. */
export async function takeParkId(
  system: Db,
  of: { readonly companyId: CompanyId; readonly devices: number },
): Promise<number | undefined> {
  return system.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${parkLock})`.execute(db);
    const taken = new Set((await knownParks(db)).map(({ id }) => id));
    const id = parkIds.find((each) => !taken.has(each));
    if (id !== undefined) await remember(db, keyOf(id), of);
    return id;
  });
}

/** Releases the number; the process running the park stops it. */
export async function releaseParkId(system: Db, id: number): Promise<void> {
  await forget(system, keyOf(id));
}
