import { balances, type Balance } from "@metrum/contract/accounting";
import type { Call, InputOf, ReplyOf } from "@metrum/contract/core";
import { openTestApi, type Answer, type TestApi } from "../api.ts";
import { at } from "../readings.ts";
import { makeFixture } from "../records.ts";

const zone = "Asia/Ulaanbaatar";
const now = at("2026-12-03T04:00:00Z");
/** November in the zone of the points. */
export const november = { startDate: at("2026-10-31T16:00:00Z"), stopDate: at("2026-11-30T16:00:00Z") };
const first = "2026-11-01";

export interface PointOf {
  readonly object?: number | null;
  readonly resource?: number;
  readonly timezone?: string;
  readonly device?: number;
}

/** A platform on 3 December 2026 whose engineer works on balances. */
export interface BalanceApi {
  readonly api: TestApi;
  readonly company: number;
  readonly token: string;
  readonly query: (text: string, values?: readonly unknown[]) => Promise<{ id: number }[]>;
  readonly ask: <C extends Call>(call: C, input: InputOf<C>, as?: string) => Promise<Answer<ReplyOf<C>>>;
  readonly aPoint: (name: string, of?: PointOf) => Promise<number>;
  readonly aDevice: (object?: number | null) => Promise<number>;
  readonly aNode: (parent?: number | null) => Promise<number>;
  /** Whole days of a point from a day on; null is a day without a row. */
  readonly days: (point: number, amounts: readonly (number | null)[], from?: string) => Promise<void>;
  readonly aGroup: (body: NonNullable<InputOf<typeof balances.create>["body"]>) => Promise<number>;
  readonly computed: (id: number, period?: typeof november) => Promise<Balance>;
}

/** A value for each day of November. */
export const month = (of: (day: number) => number): number[] =>
  Array.from({ length: 30 }, (_, day) => of(day));

export async function openBalances(): Promise<BalanceApi> {
  const api = await openTestApi({
    clock: { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() },
  });
  await makeFixture(api);
  const token = await api.token("engineer@metrum.example");
  const company = api.companies.first;
  const query: BalanceApi["query"] = async (text, values = []) =>
    (await api.services.database.pool.query<{ id: number }>(text, [...values])).rows;
  const ask: BalanceApi["ask"] = (call, input, as = token) =>
    api.ask(call, { token: as, language: "en", input });
  return {
    ...{ api, company, token, query, ask },
    ...makersOf(query, company),
    async aGroup(body) {
      const { status, data, text } = await ask(balances.create, { body });
      if (status !== 200) throw new Error(text);
      return data.balance_group.id;
    },
    async computed(id, period = november) {
      const answer = await ask(balances.compute, { params: { id: String(id) }, body: period });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.data.balance;
    },
  };
}

let made = 0;

function makersOf(
  query: BalanceApi["query"],
  company: number,
): Pick<BalanceApi, "aPoint" | "aDevice" | "aNode" | "days"> {
  const idOf = (rows: readonly { readonly id: number }[]): number => rows[0]?.id ?? 0;
  return {
    async aPoint(name, { object = null, resource = 3, timezone = zone, device } = {}) {
      const id = idOf(
        await query(
          `insert into accounting_point (company_id, name, resource_type_id, timezone, object_id)
            values ($1, $2, $3, $4, $5) returning id`,
          [company, name, resource, timezone, object],
        ),
      );
      if (device !== undefined)
        await query(
          `insert into point_device (point_id, company_id, device_id, field, from_ts) values ($1, $2, $3, 'tariff0', 0)`,
          [id, company, device],
        );
      return id;
    },
    async aDevice(object = null) {
      const id = idOf(
        await query(
          `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
            values ($1, 101, 'M230', 4, 3, 4, $2, $2) returning id`,
          [company, `41200${String((made += 1))}`],
        ),
      );
      if (object !== null)
        await query(
          `insert into object_item (object_id, company_id, device_id, is_counted) values ($1, $2, $3, true)`,
          [object, company, id],
        );
      return id;
    },
    aNode: async (parent = null) =>
      idOf(
        await query(
          `insert into object_node (company_id, name, parent_id) values ($1, 'Node', $2) returning id`,
          [company, parent],
        ),
      ),
    async days(point, amounts, from = first) {
      await query(
        `insert into point_day (point_id, field, day, amount, length_sec, known_sec, ratio, computed_at)
          select $1, 'main', $2::date + nth::int - 1, amount, 86400, 86400, 1, 0
          from unnest($3::numeric[]) with ordinality as u (amount, nth) where amount is not null`,
        [point, from, amounts],
      );
    },
  };
}
