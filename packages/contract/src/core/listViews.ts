import { z } from "zod/mini";
import { call } from "./call.ts";
import { Id, Nothing } from "./values.ts";

const staff = { read: "platform", share: "platform" } as const;
const directories = { read: "6:read", share: "6:update" } as const;
const metering = { read: "4:read", share: "4:update|4:access_all" } as const;

/**
 * Lists whose views can be saved: the right to read them, which shared views need too, and the right
 * to share.
 */
export const viewedLists = {
  devices: metering,
  gateways: metering,
  behindGateway: metering,
  baseStations: metering,
  pollGroups: metering,
  tasks: metering,
  lines: metering,
  quarantine: metering,
  accountingPoints: { read: "6:read|6:access_all", share: "6:update|6:access_all" },
  consumers: directories,
  suppliers: directories,
  transformers: directories,
  balanceGroups: { read: "6:read", share: "6:update" },
  users: { read: "1:read", share: "1:update" },
  companies: { read: "2:read", share: "2:update" },
  adminCompanies: staff,
  adminUsers: staff,
  adminLetters: staff,
  adminTransparent: staff,
  adminServiceLog: staff,
} as const satisfies Record<string, { readonly read: string; readonly share: string }>;
export type ViewedList = keyof typeof viewedLists;

/** Views of one user, and of one company, over all lists; characters of a name. */
export const viewBounds = { own: 100, shared: 200, name: 60 } as const;

const lists = Object.keys(viewedLists) as [ViewedList, ...ViewedList[]];
const List = z.enum(lists);
const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(viewBounds.name));
const Word = z.string().check(z.minLength(1), z.maxLength(100));

/** How a list is shown, as in its address: names of its filters, columns and of the field it is sorted by. */
export const ListViewState = z.strictObject({
  q: z.string().check(z.maxLength(255)),
  sort: z.nullable(z.strictObject({ field: Word, desc: z.boolean() })),
  filters: z
    .record(Word, z.array(z.string().check(z.maxLength(255))).check(z.maxLength(200)))
    .check(z.refine((filters) => Object.keys(filters).length <= 50, "size")),
  cols: z.nullable(z.array(Word).check(z.maxLength(200))).check(z.describe("visible columns in order")),
});
export type ListViewState = z.infer<typeof ListViewState>;

export const ListViewRow = z.object({
  id: Id,
  name: z.string(),
  state: ListViewState,
  is_shared: z.boolean().check(z.describe("of the company; otherwise of this user alone")),
  may_change: z.boolean(),
});
export type ListViewRow = z.infer<typeof ListViewRow>;

const refusals = ["right_missing", "view_name_taken", "view_limit", "demo_refused"] as const;
const fields = {
  name: Name,
  state: ListViewState,
  is_shared: z.boolean().check(z.describe("needs the right to change what the list shows")),
};

/** Views of lists under a name: filters, sort and columns. */
export const listViews = {
  list: call({
    id: "listView.list",
    method: "POST",
    path: "list/views",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Views of a list: one's own, then those shared in the company, by name",
    body: z.object({ list: List }),
    reply: z.object({ views: z.array(ListViewRow), may_share: z.boolean() }),
  }),
  create: call({
    id: "listView.create",
    method: "POST",
    path: "list/view/add",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Saves a view of a list under a name, for oneself or for the company",
    body: z.object({ list: List, ...fields }),
    reply: z.object({ view: ListViewRow }),
    problems: refusals,
  }),
  update: call({
    id: "listView.update",
    method: "PUT",
    path: "list/view/update",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Changes the name or the state of a view, or shares it; an absent field keeps its value",
    body: z.object({
      id: Id,
      name: z.optional(fields.name),
      state: z.optional(fields.state),
      is_shared: z.optional(fields.is_shared),
    }),
    reply: z.object({ view: ListViewRow }),
    problems: ["not_found", ...refusals],
  }),
  delete: call({
    id: "listView.delete",
    method: "POST",
    path: "list/view/delete",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Removes a view",
    body: z.object({ id: Id }),
    reply: Nothing,
    problems: ["not_found", "right_missing", "demo_refused"],
  }),
};
