import { sql, type RawBuilder } from "kysely";
import type { Scope } from "#core";

/**
 * Whether the device of the row `s` of `device_state` is silent: without data for longer than its warning
 * period, or it has never had any. Devices that are switched off are not asked.
 */
export const isSilent = (now: number): RawBuilder<boolean> =>
  sql<boolean>`(s.silent_at <= ${now}::bigint or s.silent_at is null)`;

/** Ids of the devices of a company that are switched off, trash excluded. Index device_switched_off. */
export const switchedOff = ({ companyId }: Scope): RawBuilder<unknown> =>
  sql`select id from device where company_id = ${companyId}::int and deleted_at is null and not is_active`;

/**
 * Ids of the silent devices of a company that are switched on; trash and archive are for the caller to leave
 * out. Index device_state_by_silence.
 */
export const silentDevices = (scope: Scope, now: number): RawBuilder<unknown> => sql`
  select s.device_id from device_state s
  where s.company_id = ${scope.companyId}::int and ${isSilent(now)} and s.device_id not in (${switchedOff(scope)})`;
