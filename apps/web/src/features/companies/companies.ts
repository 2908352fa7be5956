import {
  companySortFields,
  companyStates,
  type CompanyInTree,
  type companies,
} from "@metrum/contract/access";
import type { InputOf, ReplyOf } from "@metrum/contract/core";
import type { GridState } from "#ui/grid";
import type { StatusKind } from "#ui/status";

/** A line of the tree. */
export interface TreeRow {
  readonly company: CompanyInTree;
  /** Levels below the company the session works in; 0 in a flat list. */
  readonly level: number;
  readonly isOwn: boolean;
  /** Null: no companies below it. */
  readonly isOpen: boolean | null;
}

type ListBody = NonNullable<InputOf<typeof companies.list>["body"]>;
type State = NonNullable<ListBody["state"]>;
export type States = NonNullable<ReplyOf<typeof companies.list>["states"]>;

export function stateOf(state: GridState): State | undefined {
  const [given] = state.filters["state"] ?? [];
  return companyStates.find((each) => each === given);
}

/** A tree while nothing is filtered: search results are not in tree order. */
export function isTree(state: GridState): boolean {
  return state.q === "" && stateOf(state) === undefined && state.filters["view"]?.[0] !== "list";
}

/** The call for a page of the address: companies directly below one, or the whole branch. */
export function listBody(state: GridState, parentId: number | undefined): ListBody {
  const field = companySortFields.find((each) => each === state.sort?.field) ?? "name";
  const only = stateOf(state);
  return {
    page: state.page,
    per_page: state.size,
    sort_field: field,
    sort: state.sort?.desc ? "desc" : "asc",
    ...(state.q === "" ? {} : { search_string: state.q }),
    ...(only === undefined ? {} : { state: only }),
    ...(parentId === undefined ? {} : { parent_id: parentId }),
  };
}

export interface Opened {
  readonly [parentId: number]: readonly CompanyInTree[] | undefined;
}

/** The visible rows of the tree in order: a company, then the companies below it if it is expanded. */
export function treeRows(
  roots: readonly CompanyInTree[],
  { open, below, level = 0, ownId }: TreeState,
): readonly TreeRow[] {
  return roots.flatMap((company) => {
    const isOpen = company.children_count === 0 ? null : open.has(company.id);
    const line = { company, level, isOwn: company.id === ownId, isOpen };
    const children = isOpen === true ? (below[company.id] ?? []) : [];
    return [line, ...treeRows(children, { open, below, level: level + 1, ownId })];
  });
}

interface TreeState {
  readonly open: ReadonlySet<number>;
  readonly below: Opened;
  readonly level?: number;
  readonly ownId: number;
}

/** Expiry of a company: five days or more, under five, under two, over; demonstration, off, no expiry. */
export interface End {
  readonly key: "days" | "today" | "expired" | "demo" | "off" | "endless";
  readonly kind: StatusKind;
  readonly isWeak: boolean;
  /** Remaining whole days, or days since the expiry. */
  readonly days: number;
}

const daySec = 86_400;
const soonDays = 5;
const nowDays = 2;

export function endOf(
  company: Pick<CompanyInTree, "expires_at" | "is_active" | "is_demo">,
  now: number,
): End {
  const left = company.expires_at === null ? null : company.expires_at - now;
  if (!company.is_active) return { key: "off", kind: "off", isWeak: false, days: 0 };
  if (left !== null && left <= 0)
    return { key: "expired", kind: "alarm", isWeak: false, days: Math.floor(Math.max(0, -left) / daySec) };
  const days = left === null ? 0 : Math.floor(left / daySec);
  if (company.is_demo) return { key: "demo", kind: "off", isWeak: false, days };
  if (left === null) return { key: "endless", kind: "ok", isWeak: false, days: 0 };
  if (days >= soonDays) return { key: "days", kind: "ok", isWeak: false, days };
  return { key: days === 0 ? "today" : "days", kind: "warn", isWeak: days >= nowDays, days };
}
