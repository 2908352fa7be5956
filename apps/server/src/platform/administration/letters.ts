import { pageSize, type InputOf, type ReplyOf } from "@metrum/contract/core";
import type { administration, Letter } from "@metrum/contract/platform";
import type { Ctx } from "#core";
import { listLetters } from "#access/letters";

type Asked = NonNullable<InputOf<typeof administration.letters>["body"]>;

const usualPage = 25;

/** A page of the outbox, with the actions available for each letter. */
export async function lettersOfPlatform(
  { database, config }: Ctx,
  asked: Asked,
): Promise<ReplyOf<typeof administration.letters>["letters"]> {
  const limit = pageSize(asked.per_page ?? usualPage);
  const current = asked.page ?? 1;
  const { rows, total } = await listLetters(database.system, {
    state: asked.state,
    search: asked.search_string,
    limit,
    offset: (current - 1) * limit,
  });
  const data = rows.map(({ has_text, ...row }): Letter => ({
    ...row,
    created_at: seconds(row.created_at),
    sent_at: row.sent_at && seconds(row.sent_at),
    can_read: has_text && config.smtpUrl === undefined,
    can_send_again: has_text && (row.state === "parked" || row.state === "unknown"),
  }));
  return {
    data,
    current_page: current,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
