import type { Member, users } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

type Input = NonNullable<InputOf<typeof users.list>["body"]>;

const sortFields: Readonly<Record<string, NonNullable<Input["sort_field"]>>> = {
  name: "name",
  email: "email",
  group: "access_group_name",
  last_sign_in: "last_sign_in_at",
  active: "is_active",
};

/** Filter value for administrators, who have no group. */
export const adminsFilter = "admin";

/** The input of the call for the state in the address. */
export function listInput({ q, page, size, sort, filters }: GridState): Input {
  const [group] = filters["group"] ?? [];
  const [state] = filters["state"] ?? [];
  const field = sort ? sortFields[sort.field] : undefined;
  const groupId = Number(group);
  return {
    page,
    per_page: size,
    ...(field ? { sort_field: field, sort: sort?.desc === true ? "desc" : "asc" } : {}),
    ...(q.trim() === "" ? {} : { search_string: q.trim() }),
    ...(group === adminsFilter ? { is_admin: true } : {}),
    ...(Number.isInteger(groupId) && groupId > 0 ? { access_group_id: [groupId] } : {}),
    ...(state === "active" || state === "inactive" ? { is_active: state === "active" } : {}),
  };
}

export type MemberState = "active" | "invited" | "off";

export const stateKinds: Readonly<Record<MemberState, StatusKind>> = {
  active: "ok",
  invited: "pending",
  off: "off",
};

export function stateOf(row: Pick<Member, "is_active" | "is_invited">): MemberState {
  if (!row.is_active) return "off";
  return row.is_invited ? "invited" : "active";
}

/** Up to two letters for a name: initials of the first two words. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.,_-]+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toLocaleUpperCase())
    .join("");
}
