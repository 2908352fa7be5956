import { sql, type RawBuilder, type SqlBool } from "kysely";

/** Actuation was stopped or released; no payload. */
export const freezeChannel = "control_freeze";

/**
 * From and where of a query: the freezes that stop outgoing actuation of a company, that of the installation
 * included. Rows: two at most, by control_freeze_active. Only the system connection may read them. The company is
 * selected beside the freezes, so that no column of theirs is taken for it.
 */
export const freezesOver = (companyId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  from (select ${companyId} as company_id) asked
  join control_freeze f on f.frozen_company_id is null or f.frozen_company_id = asked.company_id
  where f.released_at is null`;

/** Condition: outgoing actuation of a company is stopped. */
export const isFrozen = (companyId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select ${freezesOver(companyId)})`;

/**
 * Condition: nothing that changes a device leaves for a company. Its actuation is frozen, or it is switched off or has
 * expired: what its users asked for before waits, and expires.
 */
export const isControlStopped = (companyId: RawBuilder<unknown>, now: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isFrozen(companyId)} or exists (select from company closed where closed.id = ${companyId}
    and (not closed.is_active or closed.expires_at <= ${now}::bigint)))`;
