import { periods } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openTestApi, type TestApi } from "../api.ts";

interface Day {
  readonly amount?: string | null;
  readonly estimated?: string;
  readonly known?: number;
  readonly gap?: { readonly amount: string; readonly day: string; readonly sec: number };
  readonly field?: string;
}

export const october = Array.from({ length: 31 }, (_, day) => `2026-10-${String(day + 1).padStart(2, "0")}`);

/** Points of a company with their days, whose months the engineer closes; each test begins without any, on 3 November. */
export function useMonths() {
  const at = { now: 0 };
  let opened: TestApi;
  let token: string;
  beforeAll(async () => {
    opened = await openTestApi({ clock: { now: () => at.now } });
    token = await opened.token("engineer@metrum.example");
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    at.now = Date.UTC(2026, 10, 3) / 1000;
    await sql`delete from settlement_period`.execute(system());
    await sql`delete from accounting_point`.execute(system());
  });

  const api = () => opened;
  const system = () => opened.services.database.system;
  const ask = <Name extends keyof typeof periods>(
    name: Name,
    body: InputOf<(typeof periods)[Name]>["body"],
  ) => opened.ask(periods[name], { token, input: { body } as InputOf<(typeof periods)[Name]> });
  const see = async (month = "2026-10") => (await ask("preview", { month })).data;
  const close = async (more: object = {}) =>
    ask("close", { month: "2026-10", digest: (await see()).preview.digest, ...more });
  const open = async (id: number, more: object = {}) => (await ask("get", { id, ...more })).data;
  const closed = async (more: object = {}): Promise<number> => {
    const answer = await close(more);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data.period.id ?? 0;
  };

  /** A point that existed before the period. */
  const aPoint = async (name: string, timezone = "UTC"): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      insert into accounting_point (company_id, name, resource_type_id, timezone, created_at)
      values (${opened.companies.first}, ${name}, 3, ${timezone}, '2026-01-01') returning id`.execute(
      system(),
    );
    return rows[0]?.id ?? 0;
  };

  /** A day as the engine computes it: known all day unless said otherwise. */
  const aDay = async (
    point: number,
    day: string,
    { amount = "1.1", estimated = "0", known = 86_400, gap, field = "main" }: Day = {},
  ): Promise<void> => {
    await sql`
      insert into point_day (point_id, field, day, amount, gap_amount, gap_day, gap_sec, estimated, length_sec, known_sec, computed_at,
        start_value, end_value)
      values (${point}, ${field}, ${day}, ${amount}, ${gap?.amount ?? null}, ${gap?.day ?? null}, ${gap?.sec ?? null}, ${estimated}, 86400, ${known},
        ${at.now}, 100, 101.1)
      on conflict (point_id, field, day) do update set amount = excluded.amount, gap_amount = excluded.gap_amount,
        gap_day = excluded.gap_day, gap_sec = excluded.gap_sec, estimated = excluded.estimated, known_sec = excluded.known_sec`.execute(
      system(),
    );
  };
  const wholeMonth = async (point: number): Promise<void> => {
    for (const day of october) await aDay(point, day);
  };
  /** A call of the engineer beside those of periods. */
  const call: TestApi["ask"] = (definition, asked) => opened.ask(definition, { token, ...asked });
  return { at, api, system, ask, call, see, close, open, closed, aPoint, aDay, wholeMonth };
}
