import { accessActions, modules } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { allows, type Access } from "../core/rights.ts";
import { IdText, listInput, Nothing } from "../core/values.ts";
import { AccessGroup, type AccessRules } from "./users.ts";

const known: ReadonlySet<number> = new Set(modules.map(({ id }) => id));
const KnownModules = z
  .array(z.int().check(z.refine((id) => known.has(id), "module")))
  .check(z.maxLength(known.size));

/** Granted rights: ids of known modules only. Absent modules are not granted. */
const GrantedRules = z.object({
  create: z.optional(KnownModules),
  read: z.optional(KnownModules),
  update: z.optional(KnownModules),
  delete: z.optional(KnownModules),
  access_all: z.optional(KnownModules),
});
export type GrantedRules = z.infer<typeof GrantedRules>;

const GroupName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/** An access group as its list shows it. */
export const ListedGroup = z.extend(AccessGroup, {
  users_count: z.int(),
  version: z
    .int()
    .check(z.describe("sent back with a change; 409 if another user has changed the record meanwhile")),
});
export type ListedGroup = z.infer<typeof ListedGroup>;

export const groupSortFields = ["id", "name", "users_count"] as const;

/**
 * Whether these rights contain all rights of the rules: users may only grant rights they hold. Inside an
 * entered company the user's rights are limited to its active modules, and so are those that can be granted.
 */
export function holdsAll(access: Access, rules: Partial<AccessRules>): boolean {
  return accessActions.every((action) =>
    (rules[action] ?? []).every((module) => allows(`${String(module)}:${action}`, access)),
  );
}

export const accessGroups = {
  list: call({
    id: "accessGroup.list",
    method: "POST",
    path: "access/group/list",
    right: "1:read",
    reach: "common",
    summary: "Access groups of the company with the number of their users",
    body: z.object({
      ...listInput,
      sort_field: z.optional(z.enum(groupSortFields)),
      paginate: z.optional(z.boolean()),
    }),
    reply: z.object({ access_groups: z.array(ListedGroup), total: z.int() }),
  }),
  create: call({
    id: "accessGroup.create",
    method: "POST",
    path: "access/group/create",
    right: "admin",
    reach: "company",
    summary: "Creates an access group",
    body: z.object({ name: GroupName, access_rules: GrantedRules }),
    reply: z.object({ access_group: ListedGroup }),
    isOnce: true,
    problems: ["name_taken", "right_not_held", "demo_refused", "token_refused"],
  }),
  update: call({
    id: "accessGroup.update",
    method: "PUT",
    path: "access/group/:id",
    right: "admin",
    reach: "company",
    summary:
      "Changes the name or the rights of an access group; they apply to open sessions of its users at once",
    params: z.object({ id: IdText }),
    body: z.object({
      name: z.optional(GroupName),
      access_rules: z.optional(GrantedRules),
      version: z.optional(z.int()),
    }),
    reply: z.object({ access_group: ListedGroup }),
    problems: ["not_found", "conflict", "name_taken", "right_not_held", "demo_refused", "token_refused"],
  }),
  delete: call({
    id: "accessGroup.delete",
    method: "DELETE",
    path: "access/group/:id",
    right: "admin",
    reach: "company",
    summary: "Deletes an access group without users",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "group_in_use", "demo_refused", "token_refused"],
  }),
};
