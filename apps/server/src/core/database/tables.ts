import type { Generated } from "kysely";

/**
 * Row types by table. Each domain adds its own through declaration merging in its `tables.ts`:
 * `declare module "#core" { interface Tables { device: DeviceTable } }`.
 */
export interface Tables {
  migration: { name: string; applied_at: Generated<Date> };
}
